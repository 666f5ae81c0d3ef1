//! Common parts of programs on this computer and in containers: a way to write to them, and their
//! end.

use std::pin::Pin;
use tokio::io::AsyncWrite;

/// Standard input of a program.
pub(crate) type Stdin = Pin<Box<dyn AsyncWrite + Send>>;

/// End of a program. The default is the end of a program that koab did not start.
#[derive(Default)]
pub(crate) struct ProgramEnd {
    pub(crate) code: Option<i32>,
    /// Whether a process that it started had to be ended.
    pub(crate) outlived: bool,
    /// Whether it was ended because it used too much memory.
    pub(crate) out_of_memory: bool,
}
