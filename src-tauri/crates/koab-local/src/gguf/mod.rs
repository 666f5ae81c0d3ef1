//! GGUF, llama.cpp's file of a model: a header with facts and the list of tensors, then the
//! tensors.
//!
//! [`Writer`] streams one (llama.cpp's own writer wants all tensors in memory at once), [`Header`]
//! reads the front of a file that anybody may have made: it neither trusts a length in it nor reads
//! the weights.

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

/// Every GGUF file begins so.
const MAGIC: [u8; 4] = *b"GGUF";
/// Where tensors start is a multiple of this, unless the header says otherwise.
const ALIGNMENT: u64 = 32;
