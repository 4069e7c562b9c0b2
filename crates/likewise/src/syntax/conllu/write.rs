//! Writing CoNLL-U.

use super::{EmptyNode, Sentence};
use std::io::{self, Write};

/// Writes a sentence and the blank line after it.
///
/// # Errors
/// If `out` fails, or a column holds what would be read as something else: a tab or a line break, or nothing at all.
pub fn write_sentence(out: &mut impl Write, sentence: &Sentence) -> io::Result<()> {
    for comment in &sentence.comments {
        if !comment.starts_with('#') || comment.contains(['\n', '\r']) {
            return Err(unwritable("a comment must begin with # and be one line", comment));
        }
        writeln!(out, "{comment}")?;
    }
    let mut multiwords = sentence.multiwords.iter().peekable();
    let mut empty = sentence.empty_nodes.iter().peekable();
    while let Some(node) = empty.next_if(|node| node.after == 0) {
        write_empty(out, node)?;
    }
    for (at, word) in sentence.words.iter().enumerate() {
        let number = at + 1;
        if let Some(token) = multiwords.next_if(|token| token.first == number) {
            check(&[&token.form, &token.feats, &token.misc])?;
            let (first, last) = (token.first, token.last);
            writeln!(
                out,
                "{first}-{last}\t{}\t_\t_\t_\t{}\t_\t_\t_\t{}",
                token.form, token.feats, token.misc
            )?;
        }
        let columns = [&word.form, &word.lemma, &word.upos, &word.xpos, &word.feats];
        check(&columns)?;
        check(&[&word.deprel, &word.deps, &word.misc])?;
        write!(out, "{number}")?;
        for column in columns {
            write!(out, "\t{column}")?;
        }
        match word.head {
            Some(head) => write!(out, "\t{head}")?,
            None => write!(out, "\t_")?,
        }
        writeln!(out, "\t{}\t{}\t{}", word.deprel, word.deps, word.misc)?;
        while let Some(node) = empty.next_if(|node| node.after == number) {
            write_empty(out, node)?;
        }
    }
    writeln!(out)
}

fn write_empty(out: &mut impl Write, node: &EmptyNode) -> io::Result<()> {
    check(&node.columns.each_ref())?;
    check(&[&node.deps, &node.misc])?;
    write!(out, "{}.{}", node.after, node.number)?;
    for column in &node.columns {
        write!(out, "\t{column}")?;
    }
    writeln!(out, "\t_\t_\t{}\t{}", node.deps, node.misc)
}

fn check(columns: &[&String]) -> io::Result<()> {
    for column in columns {
        if column.is_empty() || column.contains(['\t', '\n', '\r']) {
            return Err(unwritable(
                "a column must not be empty or hold tabs or line breaks",
                column,
            ));
        }
    }
    Ok(())
}

fn unwritable(rule: &str, text: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("CoNLL-U: {rule}: {text:?}"))
}
