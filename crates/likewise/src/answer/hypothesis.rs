//! From a question and a choice to a hypothesis: a statement that the document may bear out.
//!
//! The question word, with what belongs to it, is replaced by the choice, and an auxiliary that stood before the subject goes:
//!
//! | question | choice | hypothesis |
//! |---|---|---|
//! | Who has a dog? | Tammy | Tammy has a dog |
//! | What did the cow eat for lunch? | chips | the cow eat for lunch chips |
//! | Which animal built a bridge? | the beaver | the beaver built a bridge |
//! | How many friends came? | two | two friends came |
//! | Why was she sad? | She was lost. | she was sad because She was lost |
//! | The boy is _ . | ten | The boy is ten |
//!
//! A question without a question word and without a blank is joined with the choice. The rules are for English. Words are
//! compared by their stems or forms afterwards, so a verb is left as it stands (`eat`, not `ate`).

/// The statement that a choice makes of a question.
///
/// ```
/// use likewise::answer::hypothesis;
/// assert_eq!(hypothesis("Who has a dog?", "Tammy"), "Tammy has a dog");
/// assert_eq!(hypothesis("Where did Todd visit?", "The city"), "Todd visit The city");
/// assert_eq!(hypothesis("The boy is _ .", "ten."), "The boy is ten .");
/// ```
pub fn hypothesis(question: &str, choice: &str) -> String {
    let choice = choice.trim().trim_end_matches(['.', '!', '?']).trim_end();
    if let Some(filled) = cloze(question, choice) {
        return filled;
    }
    let body = question.trim().trim_end_matches(['?', '.', '!', ' ', '"', '\'']);
    let words: Vec<&str> = body.split_whitespace().collect();
    let folded: Vec<String> = words.iter().map(|word| fold(word)).collect();
    let Some((at, kind)) = question_word(&folded) else {
        return joined(&[body, choice]);
    };
    let (before, rest) = (&words[..at], &words[at + 1..]);
    let folded = &folded[at + 1..];
    // «In what year» keeps its preposition before the choice; «If it rains, what …» keeps its condition in front.
    let (condition, preposition) = match before.last() {
        Some(last) if PREPOSITIONS.contains(&fold(last).as_str()) => before.split_at(at - 1),
        _ => (before, &[][..]),
    };
    let statement = match kind {
        Kind::Subject => open(preposition, rest, folded, choice),
        Kind::Determiner => {
            let noun = noun_phrase(folded);
            open(preposition, &rest[noun..], &folded[noun..], choice)
        }
        Kind::Number => {
            // «many» goes with «how», and the noun that is counted stays: two friends.
            let end = 1 + noun_phrase(&folded[1..]);
            let noun = &rest[1..end];
            let counted = if says(choice, noun) {
                choice.to_owned()
            } else {
                joined(&[choice, &noun.join(" ")])
            };
            open(preposition, &rest[end..], &folded[end..], &counted)
        }
        Kind::Reason => {
            let begins = fold(choice.split_whitespace().next().unwrap_or(""));
            let linked = match begins.as_str() {
                "because" | "to" | "so" | "since" | "for" | "in" | "by" => choice.to_owned(),
                _ => format!("because {choice}"),
            };
            open(&[], rest, folded, &linked)
        }
    };
    joined(&[&condition.join(" "), &statement])
}

/// What a question word asks for, which says how the choice takes its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Who, what, where, when, how: the choice stands for the word.
    Subject,
    /// Which colour, what day: the choice stands for the word and its noun.
    Determiner,
    /// How many friends: the choice stands for the words and keeps the noun.
    Number,
    /// Why: the choice is the reason.
    Reason,
}

const AUXILIARIES: [&str; 25] = [
    "do", "does", "did", "is", "are", "was", "were", "am", "has", "have", "had", "can", "could",
    "will", "would", "shall", "should", "may", "might", "must", "didn't", "doesn't", "don't",
    "wasn't", "couldn't",
];
const PREPOSITIONS: [&str; 14] = [
    "in", "on", "at", "to", "for", "from", "with", "by", "of", "about", "during", "under", "into",
    "after",
];
/// Words that cannot belong to the noun phrase after «which» or «how many».
const ENDS_NOUN: [&str; 12] =
    ["of", "that", "who", "in", "on", "at", "to", "the", "he", "she", "they", "it"];

fn fold(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_').to_lowercase()
}

/// Replaces a blank: a run of underscores, with the marks that some exams put around it.
fn cloze(question: &str, choice: &str) -> Option<String> {
    let start = question.find('_')?;
    let end = start + question[start..].find(|c| c != '_').unwrap_or(question.len() - start);
    let before = question[..start].trim_end_matches(['?', ' ']);
    let after = question[end..].trim_start_matches(['?', ' ']);
    Some(joined(&[before, choice, after]))
}

/// The first question word and what it asks for.
fn question_word(words: &[String]) -> Option<(usize, Kind)> {
    let next_is_aux =
        |at: usize| words.get(at + 1).is_none_or(|next| AUXILIARIES.contains(&next.as_str()));
    words.iter().enumerate().find_map(|(at, word)| {
        let next = words.get(at + 1).map_or("", String::as_str);
        let kind = match word.as_str() {
            "who" | "whom" | "where" | "when" | "who's" | "what's" | "where's" => Kind::Subject,
            "whose" | "which" if !next_is_aux(at) => Kind::Determiner,
            "which" => Kind::Subject,
            "why" => Kind::Reason,
            "how" if matches!(next, "many" | "much" | "long" | "old" | "far" | "often") => {
                Kind::Number
            }
            "how" => Kind::Subject,
            // «What color», but not «What happened», where the verb follows at once.
            "what" if !next_is_aux(at) && NOUNS_ASKED_FOR.contains(&next) => Kind::Determiner,
            "what" => Kind::Subject,
            _ => return None,
        };
        Some((at, kind))
    })
}

/// Nouns that often follow «what» and are asked for.
const NOUNS_ASKED_FOR: [&str; 25] = [
    "color", "colour", "day", "time", "year", "month", "kind", "kinds", "type", "animal",
    "animals", "game", "games", "number", "part", "sort", "season", "city", "country", "place",
    "room", "food", "name", "sport", "toy",
];

/// How many words belong to the noun phrase at the beginning: up to an auxiliary or a verb that can be told.
fn noun_phrase(words: &[String]) -> usize {
    let ends = |word: &String| {
        AUXILIARIES.contains(&word.as_str())
            || ENDS_NOUN.contains(&word.as_str())
            || (word.len() > 4 && word.ends_with("ed"))
    };
    // «How many of the eggs»: the first word belongs to it whatever it is, unless it is an auxiliary.
    match words.iter().position(ends) {
        Some(0) => usize::from(!words.first().is_some_and(|w| AUXILIARIES.contains(&w.as_str()))),
        // «Which animal built»: nouns before a verb in the past are mostly one word.
        Some(at) => at.min(2),
        None => words.len().min(1),
    }
}

/// The choice at the place of the question word: in front where the rest begins with a verb, at the end where the rest is an
/// auxiliary and a sentence.
fn open(preposition: &[&str], rest: &[&str], folded: &[String], choice: &str) -> String {
    let choice = joined(&[&preposition.join(" "), choice]);
    let Some(first) = folded.first().filter(|word| AUXILIARIES.contains(&word.as_str())) else {
        return joined(&[&choice, &rest.join(" ")]);
    };
    let support = matches!(first.as_str(), "do" | "does" | "did");
    if !support && folded.len() <= 1 {
        return joined(&[&choice, &rest.join(" ")]);
    }
    if support {
        return joined(&[&rest[1..].join(" "), &choice]);
    }
    if matches!(first.as_str(), "didn't" | "doesn't" | "don't") {
        return joined(&[&rest[1..].join(" "), "not", &choice]);
    }
    // «was having a birthday» and «has a dog» begin with the choice.
    let owns = matches!(first.as_str(), "has" | "have" | "had")
        && !folded.iter().any(|word| word.ends_with("ed") || word.ends_with("en"));
    if owns || folded.get(1).is_some_and(|next| next.ends_with("ing")) {
        return joined(&[&choice, &rest.join(" ")]);
    }
    // «was the cat hiding»: the auxiliary goes back behind the subject.
    let (subject, predicate) = rest[1..].split_at(subject(&rest[1..]));
    joined(&[&subject.join(" "), rest[0], &predicate.join(" "), &choice])
}

const DETERMINERS: [&str; 16] = [
    "the", "a", "an", "his", "her", "my", "your", "our", "their", "its", "this", "that", "these",
    "those", "all", "some",
];

/// How many words the subject at the beginning has: «the huge ride», «George's wife's name», «Tammy and Mary», «she».
fn subject(words: &[&str]) -> usize {
    let folded: Vec<String> = words.iter().map(|word| fold(word)).collect();
    let ends = |word: &str| {
        PREPOSITIONS.contains(&word)
            || word.ends_with("ing")
            || (word.len() > 3 && word.ends_with("ed"))
    };
    let mut at = 0;
    loop {
        if DETERMINERS.contains(&folded.get(at).map_or("", String::as_str)) {
            at += 1;
            while at < words.len()
                && !ends(&folded[at])
                && !folded[at].ends_with("'s")
                && folded[at] != "and"
            {
                at += 1;
            }
        } else {
            let name = |word: &&str| word.starts_with(char::is_uppercase) && !word.ends_with("'s");
            let names = words[at..].iter().take_while(|word| name(word)).count();
            at += if folded.get(at).is_some_and(|word| word.ends_with("'s")) {
                0
            } else {
                names.max(1)
            };
        }
        // What is owned, and what is added, belongs to it.
        match folded.get(at).map(String::as_str) {
            Some(word) if word.ends_with("'s") => at += 1,
            Some("and") if at + 1 < words.len() => at += 1,
            _ => return at.min(words.len()),
        }
        if at >= words.len() {
            return words.len();
        }
    }
}

/// Whether a text has all of these words.
fn says(text: &str, words: &[&str]) -> bool {
    let own: Vec<String> = text.split_whitespace().map(fold).collect();
    words.iter().all(|word| own.contains(&fold(word)))
}

fn joined(pieces: &[&str]) -> String {
    let pieces: Vec<&str> = pieces.iter().map(|p| p.trim()).filter(|p| !p.is_empty()).collect();
    pieces.join(" ")
}

#[cfg(test)]
mod tests {
    use super::hypothesis;

    #[test]
    fn the_choice_takes_the_place_of_the_question_word() {
        for (question, choice, expected) in [
            ("Who has a dog?", "Tammy", "Tammy has a dog"),
            ("Who was having a birthday?", "Lion", "Lion was having a birthday"),
            ("What did the cow eat for lunch?", "chips.", "the cow eat for lunch chips"),
            ("What was the cat's name?", "Tony", "the cat's name was Tony"),
            ("Which animal built a bridge?", "the beaver", "the beaver built a bridge"),
            ("What was George's wife's name?", "Nancy", "George's wife's name was Nancy"),
            (
                "Where were Tammy and Mary when it rained?",
                "home",
                "Tammy and Mary were when it rained home",
            ),
            ("What was the huge ride called?", "Batman", "the huge ride was called Batman"),
            ("What color are the eggs?", "blue", "the eggs are blue"),
            ("When did Wolfie purr?", "when petted", "Wolfie purr when petted"),
            ("Where was the cat hiding?", "under the bed", "the cat was hiding under the bed"),
            ("How did Jane get there?", "by train", "Jane get there by train"),
            ("How many friends came to the party?", "two", "two friends came to the party"),
            ("How many eggs did she buy?", "six eggs", "she buy six eggs"),
            ("How old is he?", "ten", "he is ten"),
            ("How many?", "three", "three"),
            ("Why was Sara sad?", "She was lost.", "Sara was sad because She was lost"),
            ("Why did he go?", "to swim", "he go to swim"),
            ("In what year did it end?", "1990", "it end In 1990"),
            ("If it rains, what do they do?", "sleep", "If it rains, they do sleep"),
        ] {
            assert_eq!(hypothesis(question, choice), expected, "{question}");
        }
    }

    #[test]
    fn blanks_are_filled_and_other_texts_joined() {
        for (question, choice, expected) in [
            ("The boy is _ .", "ten", "The boy is ten ."),
            ("The writer thinks? _? .", "it is good.", "The writer thinks it is good ."),
            ("She ____ home", "went", "She went home"),
            ("_", "all", "all"),
            ("The writer wants to", "sleep.", "The writer wants to sleep"),
            ("Who", "me", "me"),
            ("?", "yes", "yes"),
            ("What did she do?", "", "she do"),
        ] {
            assert_eq!(hypothesis(question, choice), expected, "{question}");
        }
    }
}
