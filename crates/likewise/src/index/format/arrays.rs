//! Where arrays go to and come from: a container file, or memory. What builds and what opens an index does not
//! tell them apart.

use crate::flat::{Flat, Number};
use crate::store::{File, FileWriter, StoreError};
use std::any::Any;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Named arrays as they lie in memory.
#[derive(Default)]
pub struct Arrays {
    /// Each a `Flat` of some number.
    finished: BTreeMap<String, Box<dyn Any + Send + Sync>>,
    /// A `Vec` of some number that still grows.
    open: Option<(String, Box<dyn Any + Send + Sync>)>,
}

/// Where arrays are written.
pub enum Sink {
    /// A container file.
    File(Box<FileWriter>),
    /// Memory.
    Memory(Arrays),
}

/// Where arrays are read.
pub enum Source {
    /// A container file.
    File(File),
    /// Memory.
    Memory(Arrays),
}

impl Sink {
    /// Writes an array whole.
    pub fn put<T: Number>(
        &mut self,
        name: &str,
        array: impl Into<Flat<T>>,
    ) -> Result<(), StoreError> {
        let array = array.into();
        match self {
            Self::File(file) => file.write::<T>(name, &array),
            Self::Memory(arrays) => {
                arrays.finished.insert(name.to_owned(), Box::new(array));
                Ok(())
            }
        }
    }

    /// Begins an array that comes in pieces.
    pub fn begin<T: Number>(&mut self, name: &str) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.begin(name),
            Self::Memory(arrays) => {
                arrays.open = Some((name.to_owned(), Box::new(Vec::<T>::new())));
                Ok(())
            }
        }
    }

    /// Appends to the array begun last.
    pub fn push<T: Number>(&mut self, some: &[T]) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.push(some),
            Self::Memory(arrays) => {
                let open = arrays.open.as_mut().and_then(|(_, open)| open.downcast_mut::<Vec<T>>());
                open.ok_or_else(|| in_memory("numbers outside of any array"))?
                    .extend_from_slice(some);
                Ok(())
            }
        }
    }

    /// Ends it.
    pub fn end<T: Number>(&mut self) -> Result<(), StoreError> {
        match self {
            Self::File(file) => file.end(),
            Self::Memory(arrays) => {
                let Some((name, open)) = arrays.open.take() else {
                    return Err(in_memory("the end of an array that was not begun"));
                };
                let array = open.downcast::<Vec<T>>();
                let array = array.map_err(|_| in_memory("an array of two kinds of numbers"))?;
                arrays.finished.insert(name, Box::new(Flat::from(*array)));
                Ok(())
            }
        }
    }
}

impl Source {
    /// The array of that name.
    pub fn get<T: Number>(&self, name: &str) -> Result<Flat<T>, StoreError> {
        match self {
            Self::File(file) => file.section(name),
            Self::Memory(arrays) => {
                let array =
                    arrays.finished.get(name).and_then(|held| held.downcast_ref::<Flat<T>>());
                array.cloned().ok_or_else(|| in_memory(&format!("there is no array `{name}`")))
            }
        }
    }

    /// Whether the arrays lie in memory.
    pub fn in_memory(&self) -> bool {
        matches!(self, Self::Memory(_))
    }

    /// What to say when arrays do not fit together.
    pub fn damaged(&self, reason: impl Into<String>) -> StoreError {
        match self {
            Self::File(file) => {
                StoreError::Damaged { path: file.path().to_owned(), reason: reason.into() }
            }
            Self::Memory(_) => in_memory(&reason.into()),
        }
    }
}

fn in_memory(reason: &str) -> StoreError {
    StoreError::Usage { path: PathBuf::from("(in memory)"), reason: reason.to_owned() }
}
