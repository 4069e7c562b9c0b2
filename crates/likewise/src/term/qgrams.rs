//! Q-grams
