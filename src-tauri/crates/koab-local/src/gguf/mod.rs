//! GGUF, llama.cpp's file format of models: a header, then the tensors.
//!
//! The header contains the metadata, called facts here (a name and a value each, such as
//! `general.architecture`), and the list of the tensors.
//!
//! [`Writer`] streams a file (llama.cpp's own writer needs all tensors in memory at once).
//! [`Header`] reads the front of an untrusted file: it neither trusts a length in it nor reads the
//! weights.

mod error;
mod facts;
mod header;
mod kind;
mod reading;
mod source;
mod split;
mod value;
mod writer;

pub use error::GgufError;
pub use facts::Facts;
pub use header::{Header, Tensor};
pub use kind::TensorKind;
pub use split::{Split, parts_of};
pub use value::{Array, Value};
pub use writer::{TensorPlan, Writer};

/// First four bytes of every GGUF file.
const MAGIC: [u8; 4] = *b"GGUF";
/// Alignment of tensors in bytes, unless the header contains another.
const ALIGNMENT: u64 = 32;
