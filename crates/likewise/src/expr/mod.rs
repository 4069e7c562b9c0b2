//! The one little language in which measures, term similarities and analyzers are written.
//!
//! ```text
//! expression = [ weight "*" ] call { "+" [ weight "*" ] call }
//! call       = name [ "(" [ argument { "," argument } ] ")" ]
//! argument   = [ key "=" ] value
//! value      = number | number ":" number | call | "text in quotes"
//! ```
//!
//! [`parse`] turns a string into a tree and keeps where everything stood; a [`Schema`] says which
//! settings a name takes, and [`Schema::resolve`] checks a call against it, fills in what was left
//! out, and gives [`Settings`]: complete, and printing back in one canonical form. Every mistake is
//! an [`ExprError`] that points at the character and suggests what was probably meant.

mod error;
mod parse;
mod schema;
mod settings;

pub use error::{ExprError, nearest};
pub use parse::{Argument, Call, Span, Sum, Value, parse};
pub use schema::{Kind, Param, Schema};
pub use settings::{Setting, Settings};
