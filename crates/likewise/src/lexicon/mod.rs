//! What words mean to each other, from dictionaries that are installed rather than learned.
//!
//! [`wordnet`] reads Princeton WordNet: synonyms, base forms, and similarities over its tree of meanings.

pub mod wordnet;
