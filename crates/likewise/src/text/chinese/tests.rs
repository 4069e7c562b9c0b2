//! What analyzers make of Chinese texts.

use crate::text::Analyzer;
use proptest::prelude::*;

fn terms(analyzer: &str, text: &str) -> Vec<String> {
    let analyzer: Analyzer = analyzer.parse().unwrap();
    analyzer.analyze(text).terms().map(str::to_owned).collect()
}

fn complaint(analyzer: &str) -> String {
    analyzer.parse::<Analyzer>().unwrap_err().to_string()
}

#[test]
fn chinese_is_cut_into_words_and_the_rest_as_ever() {
    let jieba = "analyzer(tokens=jieba)";
    assert_eq!(terms(jieba, "我来到北京清华大学"), ["我", "来到", "北京", "清华大学"]);
    assert_eq!(
        terms(jieba, "我的iPhone 6S，不是Wi-Fi版的U.S.手机!"),
        ["我", "的", "iphone", "6s", "不是", "wi", "fi", "版", "的", "u", "s", "手机"]
    );
    assert_eq!(terms("analyzer(tokens=jieba, hyphen=drop)", "用Wi-Fi"), ["用", "wifi"]);
    assert_eq!(
        terms("analyzer(tokens=jieba, punctuation=keep)", "好，吗？"),
        ["好", ",", "吗", "?"]
    );
    let english = "O'Neil, J.-P.  (U.S.A.) 4.5 Straße ❤️";
    assert_eq!(terms(jieba, english), terms("analyzer", english));
}

#[test]
fn search_mode_adds_the_words_inside_long_words() {
    assert_eq!(
        terms("analyzer(tokens=jieba(mode=search))", "清华大学"),
        ["清华", "华大", "大学", "清华大学"]
    );
    let original = "在清华大学";
    let analyzer: Analyzer = "analyzer(tokens=jieba(search))".parse().unwrap();
    let text = analyzer.analyze(original);
    let spans: Vec<&str> = (0..text.len()).map(|i| &original[text.span(i)]).collect();
    assert_eq!(spans, text.terms().collect::<Vec<_>>());
}

#[test]
fn words_of_the_users_own_are_words() {
    let text = "李小福是创新办主任";
    let own = r#"analyzer(tokens=jieba(words="创新办 李小福:100:nr"))"#;
    assert_eq!(terms("analyzer(tokens=jieba)", text), ["李小福", "是", "创新", "办", "主任"]);
    assert_eq!(terms(own, text), ["李小福", "是", "创新办", "主任"]);
    let analyzer: Analyzer = own.parse().unwrap();
    assert_eq!(analyzer.to_string().parse::<Analyzer>().unwrap(), analyzer);
    assert!(
        complaint(r#"analyzer(tokens=jieba(words="abc"))"#).contains("`abc` is no Chinese word")
    );
    assert!(complaint(r#"analyzer(tokens=jieba(words="词:x"))"#).contains("no frequency"));
}

#[test]
fn what_the_dictionary_does_not_know_is_guessed_or_split() {
    let text = "他来到了网易杭研大厦";
    assert_eq!(terms("analyzer(tokens=jieba)", text), ["他", "来到", "了", "网易", "杭研", "大厦"]);
    assert_eq!(
        terms("analyzer(tokens=jieba(unknown=split))", text),
        ["他", "来到", "了", "网易", "杭", "研", "大厦"]
    );
}

#[test]
fn names_of_places_become_one_word_that_points_at_each() {
    let original = "從廣州到上海";
    let analyzer: Analyzer =
        "analyzer(script=simplified, tokens=jieba(search), places=one)".parse().unwrap();
    let text = analyzer.analyze(original);
    assert_eq!(text.terms().collect::<Vec<_>>(), ["从", "place", "到", "place"]);
    assert_eq!(&original[text.span(1)], "廣州");
    assert_eq!(&original[text.char_span(3, 0..1)], "上海");
}

#[test]
fn all_steps_of_the_paper_go_together() {
    let original = "在臺北看《電影》！！！http://t.cn/x1 真的很好看。。";
    let all = "analyzer(urls=one, script=simplified, width=half, repeats=one, tokens=jieba, places=one, stop=zh, punctuation=keep)";
    let analyzer: Analyzer = all.parse().unwrap();
    let text = analyzer.analyze(original);
    let found: Vec<(&str, &str)> =
        (0..text.len()).map(|i| (text.term(i), &original[text.span(i)])).collect();
    assert_eq!(
        found,
        [
            ("place", "臺北"),
            ("看", "看"),
            ("<", "《"),
            ("电影", "電影"),
            (">", "》！！！"),
            ("url", "http://t.cn/x1"),
            ("真的", "真的"),
            ("很", "很"),
            ("好看", "好看"),
            (".", "。。"),
        ]
    );
}

#[test]
fn the_script_decides_which_texts_are_chinese() {
    let auto = "analyzer(script=simplified, tokens=jieba)";
    let always = "analyzer(script=simplified, tokens=jieba, lang=zh)";
    assert_eq!(terms(auto, "東京大学"), ["东京大学"]);
    assert_eq!(terms(auto, "東京大学へ行く"), terms("analyzer", "東京大学へ行く"));
    assert_ne!(terms(always, "東京大学へ行く"), terms(auto, "東京大学へ行く"));
}

#[test]
fn a_setting_that_would_be_ignored_is_refused() {
    assert!(complaint("analyzer(places=one)").contains("tokens=jieba"));
    assert!(complaint("analyzer(lang=zh)").contains("none is on"));
    assert!(complaint("analyzer(repeats=one)").contains("punctuation=keep"));
}

proptest! {
    #[test]
    fn every_token_points_into_the_text(
        original in "[我们在北京清華大學學習。，！a-cＡ1 ']{0,24}|\\PC{0,20}",
        settings in proptest::sample::select(vec![
            "tokens=jieba", "tokens=jieba(search)", "tokens=jieba(unknown=split), lang=zh",
            "tokens=jieba, script=simplified, places=one, urls=one",
            "tokens=jieba, width=half, repeats=one, punctuation=keep, grams=1:2",
            "tokens=jieba, apostrophe=drop, stop=zh",
            "tokens=jieba(search), grams=1:3",
        ]),
    ) {
        let analyzer: Analyzer = format!("analyzer({settings})").parse().unwrap();
        let text = analyzer.analyze(&original);
        for i in 0..text.len() {
            prop_assert!(!text.term(i).is_empty());
            prop_assert!(original.get(text.span(i)).is_some_and(|span| !span.is_empty()));
            for c in 0..text.term(i).chars().count() {
                let span = text.char_span(i, c..c + 1);
                prop_assert!(original.get(span.clone()).is_some());
                prop_assert!(span.start >= text.span(i).start && span.end <= text.span(i).end);
            }
        }
    }

    /// In precise mode the Chinese words of a text are the text, each character once.
    #[test]
    fn no_character_is_lost_or_doubled(original in "[我们在北京清华大学学习机器翻译]{0,24}") {
        prop_assert_eq!(terms("analyzer(tokens=jieba)", &original).concat(), original.clone());
    }

    #[test]
    fn texts_without_chinese_characters_are_cut_as_by_words(original in "[a-zA-Z'’ .,é-]{0,30}|[ぁ-んカ漢字]{0,8}ん") {
        prop_assert_eq!(terms("analyzer(tokens=jieba)", &original), terms("analyzer", &original));
    }
}
