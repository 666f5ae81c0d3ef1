//! Values of the facts (metadata entries) in a header.

/// Value of a fact (a metadata entry of the header), in the widest type of its kind. Readers do not
/// care whether a context length has four bytes or eight.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number that is not negative.
    Unsigned(u64),
    /// A negative whole number. Other whole numbers are read as [`Value::Unsigned`].
    Signed(i64),
    /// A floating-point number.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A text.
    Text(String),
    /// A list of values of one kind.
    Array(Array),
}

/// Several values of one kind. Long lists are counted when read, not kept: the engine reads
/// vocabularies itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Array {
    /// Whole numbers, each within an `i32`.
    Integers(Vec<i32>),
    /// Floating-point numbers.
    Floats(Vec<f32>),
    /// Texts.
    Texts(Vec<String>),
    /// Length of a list whose values were not kept.
    Counted(u64),
}

impl Array {
    /// Number of values.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self {
            Self::Integers(all) => all.len() as u64,
            Self::Floats(all) => all.len() as u64,
            Self::Texts(all) => all.len() as u64,
            Self::Counted(count) => *count,
        }
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Unsigned(u64::from(value))
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Self::Unsigned(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

/// Codes of `enum gguf_type`.
pub(super) mod code {
    pub(in crate::gguf) const U8: u32 = 0;
    pub(in crate::gguf) const I8: u32 = 1;
    pub(in crate::gguf) const U16: u32 = 2;
    pub(in crate::gguf) const I16: u32 = 3;
    pub(in crate::gguf) const U32: u32 = 4;
    pub(in crate::gguf) const I32: u32 = 5;
    pub(in crate::gguf) const F32: u32 = 6;
    pub(in crate::gguf) const BOOL: u32 = 7;
    pub(in crate::gguf) const TEXT: u32 = 8;
    pub(in crate::gguf) const ARRAY: u32 = 9;
    pub(in crate::gguf) const U64: u32 = 10;
    pub(in crate::gguf) const I64: u32 = 11;
    pub(in crate::gguf) const F64: u32 = 12;
}
