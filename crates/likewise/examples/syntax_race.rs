//! Scratch.
use likewise::syntax::*;
fn main() {
    let read = |path: String| -> Vec<_> {
        let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
        conllu::Reader::new(file).collect::<Result<Vec<_>, _>>().unwrap()
    };
    let mut args = std::env::args().skip(1);
    let (train_set, dev) = (read(args.next().unwrap()), read(args.next().unwrap()));
    let options: TrainOptions = serde_json::from_str(&args.next().unwrap()).unwrap();
    let mut begun = std::time::Instant::now();
    let parser = train(&train_set, Some(&dev), &options, &Default::default(), |e| {
        let s = e.scores.unwrap();
        eprintln!("{} {} loss {:.4} tok {:.2} words {:.2} sents {:.2} upos {:.2} xpos {:.2} lemma {:.2} uas {:.2} las {:.2} {:.1}s", e.tokeniser, e.epoch, e.loss,
            s.tokens*100., s.words*100., s.sentences*100., s.upos*100., s.xpos*100., s.lemmas*100., s.uas*100., s.las*100., begun.elapsed().as_secs_f32());
        begun = std::time::Instant::now();
    }).unwrap();
    let bytes = parser.to_bytes();
    std::fs::write(args.next().unwrap(), &bytes).unwrap();
    let raw = conllu::raw_text(&dev).unwrap();
    let begun = std::time::Instant::now();
    let parsed = parser.parse(&raw.text);
    let t = begun.elapsed().as_secs_f64();
    let words: usize = parsed.iter().map(|s| s.words.len()).sum();
    eprintln!(
        "{} bytes; raw {:?} {:.0} w/s",
        bytes.len(),
        score(&dev, &parsed).unwrap(),
        words as f64 / t
    );
}
