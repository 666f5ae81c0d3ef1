//! Storage formats of weights that llama.cpp supports (`enum ggml_type`), with the sizes of their
//! blocks.

/// Storage format of a tensor, with ggml's name and number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TensorKind {
    code: u32,
    name: &'static str,
    block: u64,
    bytes: u64,
}

macro_rules! kinds {
    ($($constant:ident $code:literal $name:literal $block:literal $bytes:literal)*) => {
        impl TensorKind {
            $(#[doc = concat!("`", $name, "`: ", $block, " numbers in ", $bytes, " bytes.")]
            pub const $constant: TensorKind = TensorKind { code: $code, name: $name, block: $block, bytes: $bytes };)*

            const ALL: &'static [TensorKind] = &[$(TensorKind::$constant),*];
        }
    };
}

kinds! {
    F32 0 "F32" 1 4
    F16 1 "F16" 1 2
    Q4_0 2 "Q4_0" 32 18
    Q4_1 3 "Q4_1" 32 20
    Q5_0 6 "Q5_0" 32 22
    Q5_1 7 "Q5_1" 32 24
    Q8_0 8 "Q8_0" 32 34
    Q8_1 9 "Q8_1" 32 36
    Q2_K 10 "Q2_K" 256 84
    Q3_K 11 "Q3_K" 256 110
    Q4_K 12 "Q4_K" 256 144
    Q5_K 13 "Q5_K" 256 176
    Q6_K 14 "Q6_K" 256 210
    Q8_K 15 "Q8_K" 256 292
    IQ2_XXS 16 "IQ2_XXS" 256 66
    IQ2_XS 17 "IQ2_XS" 256 74
    IQ3_XXS 18 "IQ3_XXS" 256 98
    IQ1_S 19 "IQ1_S" 256 50
    IQ4_NL 20 "IQ4_NL" 32 18
    IQ3_S 21 "IQ3_S" 256 110
    IQ2_S 22 "IQ2_S" 256 82
    IQ4_XS 23 "IQ4_XS" 256 136
    I8 24 "I8" 1 1
    I16 25 "I16" 1 2
    I32 26 "I32" 1 4
    I64 27 "I64" 1 8
    F64 28 "F64" 1 8
    IQ1_M 29 "IQ1_M" 256 56
    BF16 30 "BF16" 1 2
    TQ1_0 34 "TQ1_0" 256 54
    TQ2_0 35 "TQ2_0" 256 66
    MXFP4 39 "MXFP4" 32 17
}

impl TensorKind {
    /// The format with ggml's number `code`.
    #[must_use]
    pub fn of_code(code: u32) -> Option<Self> {
        Self::ALL.iter().find(|kind| kind.code == code).copied()
    }

    /// ggml's number of the format.
    #[must_use]
    pub fn code(self) -> u32 {
        self.code
    }

    /// ggml's name, such as `Q4_K`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Numbers that are stored together; the length of a row is a multiple of this.
    #[must_use]
    pub fn block(self) -> u64 {
        self.block
    }

    /// Bytes that `numbers` numbers take; `None` if they do not fill blocks, or are too many for
    /// any file.
    #[must_use]
    pub fn bytes(self, numbers: u64) -> Option<u64> {
        (numbers.is_multiple_of(self.block)).then(|| (numbers / self.block).checked_mul(self.bytes))?
    }
}
