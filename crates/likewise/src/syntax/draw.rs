//! A tree, drawn with lines.

use super::conllu::Sentence;
use std::fmt::Write;

/// Draws the tree of a sentence, a word a line: the root first, each word under its head in the order of the text.
///
/// Words without a head, or in a cycle, are listed at the end: everything is shown once.
pub fn draw(sentence: &Sentence) -> String {
    let n = sentence.words.len();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); n + 1];
    for (at, word) in sentence.words.iter().enumerate() {
        if let Some(head) = word.head.filter(|head| *head <= n) {
            children[head].push(at + 1);
        }
    }
    let mut out = String::new();
    let mut shown = vec![false; n + 1];
    // What is still to be drawn: a word, and the lines before it and before its children. A stack, not recursion: a sentence
    // may be thousands of words deep.
    let mut open: Vec<(usize, String, String)> = Vec::new();
    let roots = children[0].clone().into_iter().chain(1..=n);
    for root in roots {
        if shown[root] {
            continue;
        }
        open.push((root, String::new(), String::new()));
        while let Some((number, line, below)) = open.pop() {
            if std::mem::replace(&mut shown[number], true) {
                continue;
            }
            let word = &sentence.words[number - 1];
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{line}{} {} ({})", word.form, word.upos, word.deprel);
            let hanging: Vec<usize> =
                children[number].iter().copied().filter(|child| !shown[*child]).collect();
            for (at, child) in hanging.iter().enumerate().rev() {
                let last = at + 1 == hanging.len();
                let (corner, bar) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                open.push((*child, format!("{below}{corner}"), format!("{below}{bar}")));
            }
        }
    }
    out
}
