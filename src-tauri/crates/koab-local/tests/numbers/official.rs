//! 8 and 4 bit are what llama.cpp's own tool makes of the float32 file, byte for byte.

use std::ffi::CString;
use std::fs;
use std::path::Path;

use koab_local::convert::Precision;
use koab_local::gguf::Header;
use llama_cpp_sys_2 as llama_cpp;

use crate::numbers::fixture::Fixture;
use crate::numbers::{converted, llama};

/// Quantizes as `llama-quantize` does: every matrix in the file type's own format, embeddings and output in another.
#[allow(unsafe_code, reason = "the tool has no safe binding")]
fn quantized(from: &Path, to: &Path, matrices: llama_cpp::llama_ftype, ends: llama_cpp::ggml_type) {
    llama::backend();
    let text = |path: &Path| CString::new(path.to_str().unwrap()).unwrap();
    let (from, to) = (text(from), text(to));
    // SAFETY: the parameters are the library's own defaults but for plain numbers, and both names live until the call is over.
    let failed = unsafe {
        let mut how = llama_cpp::llama_model_quantize_default_params();
        how.nthread = 1;
        how.ftype = matrices;
        how.pure_ = true;
        how.token_embedding_type = ends;
        how.output_tensor_type = ends;
        llama_cpp::llama_model_quantize(from.as_ptr(), to.as_ptr(), &raw const how)
    };
    assert_eq!(failed, 0);
}

/// Names, formats and bytes of all tensors.
fn tensors(file: &Path) -> Vec<(String, &'static str, Vec<u8>)> {
    let header = Header::read(file).unwrap();
    let bytes = fs::read(file).unwrap();
    let mut all: Vec<_> = header
        .tensors
        .iter()
        .map(|tensor| {
            let kind = tensor.kind.unwrap();
            let at = (header.data_at + tensor.offset) as usize;
            let length = kind.bytes(tensor.numbers()).unwrap() as usize;
            (tensor.name.clone(), kind.name(), bytes[at..at + length].to_vec())
        })
        .collect();
    all.sort();
    all
}

#[test]
fn blocks_are_those_of_llama_cpps_own_tool() {
    let (eight, four) = (llama_cpp::LLAMA_FTYPE_MOSTLY_Q8_0, llama_cpp::LLAMA_FTYPE_MOSTLY_Q4_K_S);
    for (name, precision, matrices, ends) in [
        ("llama", Precision::Q8_0, eight, llama_cpp::GGML_TYPE_Q8_0),
        ("llama", Precision::Q4, four, llama_cpp::GGML_TYPE_Q6_K),
        ("qwen3", Precision::Q4, four, llama_cpp::GGML_TYPE_Q6_K),
        // Rows that do not fill blocks: the tool's rule for what is stored instead, which it does not follow where it was told a
        // format by name.
        ("qwen2-narrow", Precision::Q4, four, llama_cpp::GGML_TYPE_Q8_0),
    ] {
        let model = Fixture::named(name).written();
        let (out, exact) = converted(model.path(), Precision::F32);
        let theirs = out.path().join("theirs.gguf");
        quantized(&exact.model, &theirs, matrices, ends);
        let (_out, ours) = converted(model.path(), precision);
        let (ours, theirs) = (tensors(&ours.model), tensors(&theirs));
        assert_eq!(ours.len(), theirs.len(), "{name}");
        for (ours, theirs) in ours.into_iter().zip(theirs) {
            assert_eq!((&ours.0, ours.1), (&theirs.0, theirs.1), "{name} {precision}");
            assert!(ours.2 == theirs.2, "{name} {precision}: {} differs", ours.0);
        }
    }
}
