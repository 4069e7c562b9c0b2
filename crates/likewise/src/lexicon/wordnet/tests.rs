//! The whole, on a small dictionary and, where it is installed, on the real one.
