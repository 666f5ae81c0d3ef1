//! What lies in the folder after a conversion.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use koab_local::convert::{Precision, Record, planned_bytes};
use koab_local::gguf::{Facts, Header};
use koab_local::hf::{Folder, TokenizerFiles};
use koab_tiny::{Architecture, Dtype, Shape};

use crate::convert::{converted, names, sha256, tiny, written};

/// The formats of a file's tensors by name.
fn kinds(file: &Path) -> BTreeMap<String, &'static str> {
    let header = Header::read(file).unwrap();
    header.tensors.into_iter().map(|tensor| (tensor.name, tensor.kind.unwrap().name())).collect()
}

#[test]
fn the_folder_holds_the_model_its_record_and_its_tokenizer() {
    let model = tiny(Architecture::Qwen3);
    let out = tempfile::tempdir().unwrap();
    let converted = converted(model.path(), out.path(), Precision::Q8_0);
    assert_eq!(
        names(out.path()),
        [
            "generation_config.json",
            "model.gguf",
            "model.json",
            "special_tokens_map.json",
            "tokenizer.json",
            "tokenizer_config.json"
        ]
    );
    let record = Record::read(out.path()).unwrap();
    assert_eq!(record, converted.record);
    assert_eq!(record.model.sha256, sha256(&out.path().join("model.gguf")));
    assert_eq!(record.model.bytes, fs::metadata(out.path().join("model.gguf")).unwrap().len());
    assert_eq!(record.files.len(), 3);
    for file in &record.files {
        assert_eq!(file.sha256, sha256(&model.path().join(&file.name)), "{}", file.name);
    }
    assert_eq!((record.precision.as_str(), record.architecture.as_str()), ("8bit", "Qwen3ForCausalLM"));
    let header = Header::read(&converted.model).unwrap();
    let facts = Facts::from_header(&header);
    assert_eq!(facts.architecture.as_deref(), Some("qwen3"));
    assert_eq!((facts.context, facts.layers, facts.vocabulary), (Some(32_768), Some(2), Some(832)));
    assert_eq!(facts.kept_per_token, Some(2 * 2 * 2 * 128));
    assert_eq!(facts.parameters, record.parameters);
    let (ours, theirs) =
        (TokenizerFiles::read(out.path()).unwrap(), TokenizerFiles::read(model.path()).unwrap());
    assert_eq!((&ours.ends, &ours.templates, &ours.eos), (&theirs.ends, &theirs.templates, &theirs.eos));
    assert_eq!(facts.chat_template.as_deref(), theirs.template(true));
}

#[test]
fn each_precision_stores_matrices_its_way_and_norms_and_biases_in_float32() {
    let model = tiny(Architecture::Qwen2);
    for (precision, matrix, embedding) in [
        (Precision::F32, "F32", "F32"),
        (Precision::F16, "F16", "F16"),
        (Precision::BF16, "BF16", "BF16"),
        (Precision::Q8_0, "Q8_0", "Q8_0"),
        (Precision::Q4, "Q4_K", "Q6_K"),
    ] {
        let out = tempfile::tempdir().unwrap();
        let converted = converted(model.path(), out.path(), precision);
        let kinds = kinds(&converted.model);
        assert_eq!(kinds["token_embd.weight"], embedding);
        assert!(!kinds.contains_key("output.weight"), "tied");
        for part in ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"] {
            assert_eq!(kinds[&format!("blk.1.{part}.weight")], matrix, "{part}");
        }
        for part in ["attn_q.bias", "attn_v.bias", "attn_norm.weight", "ffn_norm.weight"] {
            assert_eq!(kinds[&format!("blk.0.{part}")], "F32", "{part}");
        }
        let planned = planned_bytes(&Folder::open(model.path()).unwrap(), precision).unwrap();
        let facts = Facts::from_header(&Header::read(&converted.model).unwrap());
        assert_eq!(planned, facts.weight_bytes, "{precision}");
    }
}

#[test]
fn rows_that_do_not_fill_blocks_are_stored_by_the_next_coarser_rule() {
    // 224 is not a multiple of 256, 512 is; 200 is none of 32 either.
    let narrow = Shape { hidden: 224, head_dim: 56, ..Shape::tiny(Architecture::Llama) };
    let out = tempfile::tempdir().unwrap();
    let kinds_of =
        |shape: &Shape, precision| kinds(&converted(written(shape).path(), out.path(), precision).model);
    let four = kinds_of(&narrow, Precision::Q4);
    assert_eq!((four["output.weight"], four["blk.0.ffn_up.weight"]), ("Q8_0", "Q5_0"));
    assert_eq!(four["blk.0.ffn_down.weight"], "Q4_K");
    let odd = Shape { hidden: 200, head_dim: 50, ..narrow };
    assert_eq!(kinds_of(&odd, Precision::Q4)["blk.0.ffn_up.weight"], "F16");
    assert_eq!(kinds_of(&odd, Precision::Q8_0)["blk.0.ffn_up.weight"], "F16");
}

#[test]
fn the_same_source_makes_the_same_bytes_however_it_is_sharded_and_spelled() {
    let shape = Shape { dtype: Dtype::F32, ..Shape::tiny(Architecture::Llama) };
    let [one, four] = [1, 4].map(|shards| {
        let model = written(&Shape { shards, ..shape.clone() });
        let out = tempfile::tempdir().unwrap();
        let converted = converted(model.path(), out.path(), Precision::Q4);
        let kinds = kinds(&converted.model);
        (kinds, Facts::from_header(&Header::read(&converted.model).unwrap()).weight_bytes)
    });
    assert_eq!(one, four);
    let model = written(&shape);
    let outs: Vec<_> = (0..2)
        .map(|_| {
            let out = tempfile::tempdir().unwrap();
            converted(model.path(), out.path(), Precision::Q4).record.model.sha256
        })
        .collect();
    assert_eq!(outs[0], outs[1]);
}

#[test]
fn precisions_are_named_as_the_options_name_them() {
    for precision in Precision::ALL {
        assert_eq!(precision.name().parse(), Ok(precision));
    }
    assert_eq!("FP16".parse(), Ok(Precision::F16));
    assert_eq!(
        "3bit".parse::<Precision>().unwrap_err(),
        "3bit is not a precision; there are float32, float16, bfloat16, 8bit, 4bit"
    );
}
