//! An array of numbers that does not say where it lies: made here, or mapped from a file.
//!
//! What works on arrays should not care whether they were just built or come out of an index on
//! disk. With the cargo feature `index` a [`Flat`] may also be a view into a memory-mapped file;
//! without it only the owned form exists, and the type is the same.
//!
//! ```
//! use likewise::flat::Flat;
//!
//! let counts: Flat<u32> = vec![3, 1, 2].into();
//! let shared = counts.clone(); // no number is copied
//! assert_eq!(shared.iter().sum::<u32>(), 6);
//! ```

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// The numbers a [`Flat`] may hold: `u8`, `u16`, `u32`, `u64`, `f32` and `f64`.
///
/// Every pattern of bits is a value of these, so that bytes of a file can be read in place. The trait
/// is sealed: nothing else can promise that.
pub trait Number: sealed::Plain + Copy + PartialEq + fmt::Debug + Send + Sync + 'static {}

mod sealed {
    pub trait Plain: bytemuck::Pod {}
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl sealed::Plain for $number {}
        impl Number for $number {}
    )*};
}
numbers!(u8, u16, u32, u64, f32, f64);

/// An immutable array of numbers, owned or mapped, that is cheap to clone and derefs to a slice.
///
/// Take the slice once before a hot loop (`let counts: &[u32] = &counts;`): finding it costs a few
/// comparisons each time.
pub struct Flat<T: Number>(Held<T>);

enum Held<T> {
    Owned(Arc<[T]>),
    Mapped {
        map: Arc<memmap2::Mmap>,
        /// The bytes of the map that are the array: whole numbers, aligned; checked when made.
        bytes: std::ops::Range<usize>,
    },
}

impl<T: Number> Flat<T> {
    /// A view into a map, which lives as long as the view; `None` if the bytes lie outside of it, are
    /// not aligned for `T`, or are no whole count of `T`.
    pub(crate) fn mapped(map: Arc<memmap2::Mmap>, bytes: std::ops::Range<usize>) -> Option<Self> {
        bytemuck::try_cast_slice::<u8, T>(map.get(bytes.clone())?).ok()?;
        Some(Self(Held::Mapped { map, bytes }))
    }
}

impl<T: Number> Deref for Flat<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Held::Owned(numbers) => numbers,
            // Cannot fail: it went well in `mapped`, and a map does not move.
            Held::Mapped { map, bytes } => bytemuck::cast_slice(&map[bytes.clone()]),
        }
    }
}

impl<T: Number> From<Vec<T>> for Flat<T> {
    fn from(numbers: Vec<T>) -> Self {
        Self(Held::Owned(numbers.into()))
    }
}

impl<T: Number> Default for Flat<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T: Number> Clone for Flat<T> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Held::Owned(numbers) => Held::Owned(Arc::clone(numbers)),
            Held::Mapped { map, bytes } => {
                Held::Mapped { map: Arc::clone(map), bytes: bytes.clone() }
            }
        })
    }
}

impl<T: Number> PartialEq for Flat<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Number> fmt::Debug for Flat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a, T: Number> IntoIterator for &'a Flat<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owned_array_is_its_numbers_and_clones_share_them() {
        let numbers: Flat<f32> = vec![1.5, -0.0].into();
        let clone = numbers.clone();
        assert_eq!(numbers, clone);
        assert_eq!(numbers.as_ptr(), clone.as_ptr());
        assert_eq!(format!("{numbers:?}"), "[1.5, -0.0]");
        assert!(Flat::<u64>::default().is_empty());
        assert_eq!((&numbers).into_iter().count(), 2);
    }

    #[test]
    fn arrays_go_to_other_threads() {
        fn goes<T: Send + Sync>() {}
        goes::<Flat<u8>>();
    }
}
