//! Types for programs on this computer and in containers: their standard input and their end.

use std::pin::Pin;
use tokio::io::AsyncWrite;

/// Standard input of a program.
pub(crate) type Stdin = Pin<Box<dyn AsyncWrite + Send>>;

/// End of a program. The default is the end of a program that koab did not start.
#[derive(Default)]
pub(crate) struct ProgramEnd {
    pub(crate) code: Option<i32>,
    /// Whether koab had to end a process that the program started.
    pub(crate) outlived: bool,
    /// Whether the program was ended because it used too much memory.
    pub(crate) out_of_memory: bool,
}
