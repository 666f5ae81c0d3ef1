//! What programs on this computer and in containers have in common: a way to speak to them, and an
//! end.

use std::pin::Pin;
use tokio::io::AsyncWrite;

/// A way to speak to a program.
pub(crate) type Stdin = Pin<Box<dyn AsyncWrite + Send>>;

/// How a program ended; by default one that was not started here.
#[derive(Default)]
pub(crate) struct ProgramEnd {
    pub(crate) code: Option<i32>,
    /// Whether something that it started had to be ended.
    pub(crate) outlived: bool,
    /// Whether it was ended for its memory.
    pub(crate) out_of_memory: bool,
}
