//! A stream of texts, worked on by all cores while it is read.

/// A batch is read until it has so many texts or bytes: enough to keep all cores busy, little to hold.
const TEXTS: usize = if cfg!(test) { 4 } else { 16_384 };
const BYTES: usize = 4 << 20;

/// Reads the texts in batches and hands each to `work`, in order, while the next one is read. Texts that are only blanks
/// are left out.
pub(crate) fn in_batches<T: AsRef<str> + Send + Sync, E: From<F>, F: Send>(
    texts: impl IntoIterator<Item = Result<T, E>>,
    mut work: impl FnMut(&[T]) -> Result<(), F> + Send,
) -> Result<(), E> {
    let mut texts = texts.into_iter();
    let mut ready = read(&mut texts)?;
    while !ready.is_empty() {
        let mut done = Ok(());
        let next = rayon::in_place_scope(|scope| {
            let (done, work, ready) = (&mut done, &mut work, &ready);
            scope.spawn(move |_| *done = work(ready));
            read(&mut texts)
        });
        done?;
        ready = next?;
    }
    Ok(())
}

fn read<T: AsRef<str>, E>(texts: &mut impl Iterator<Item = Result<T, E>>) -> Result<Vec<T>, E> {
    let (mut batch, mut bytes) = (Vec::new(), 0);
    while batch.len() < TEXTS && bytes < BYTES {
        let Some(text) = texts.next() else { break };
        let text = text?;
        if !text.as_ref().trim().is_empty() {
            bytes += text.as_ref().len();
            batch.push(text);
        }
    }
    Ok(batch)
}
