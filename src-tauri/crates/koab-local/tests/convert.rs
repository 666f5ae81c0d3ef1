//! Conversions: what lies in the folder afterwards, and that a conversion that fails or is stopped leaves nothing.
#![allow(clippy::unwrap_used)]

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use koab_local::convert::{Converted, Precision, Progress, Record, convert, planned_bytes};
use koab_local::gguf::{Facts, Header};
use koab_local::hf::{Folder, TokenizerFiles};
use koab_tiny::{Architecture, Dtype, Shape};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

fn written(shape: &Shape) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    koab_tiny::write_shaped(folder.path(), shape).unwrap();
    folder
}

fn tiny(architecture: Architecture) -> TempDir {
    written(&Shape::tiny(architecture))
}

fn go_on(_: Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn converted(model: &Path, out: &Path, precision: Precision) -> Converted {
    convert(&Folder::open(model).unwrap(), out, precision, &go_on).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn sha256(file: &Path) -> String {
    Sha256::digest(fs::read(file).unwrap())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// The formats of a file's tensors by name.
fn kinds(file: &Path) -> BTreeMap<String, &'static str> {
    let header = Header::read(file).unwrap();
    header
        .tensors
        .into_iter()
        .map(|tensor| (tensor.name, tensor.kind.unwrap().name()))
        .collect()
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
    assert_eq!(
        record.model.bytes,
        fs::metadata(out.path().join("model.gguf")).unwrap().len()
    );
    assert_eq!(record.files.len(), 3);
    for file in &record.files {
        assert_eq!(
            file.sha256,
            sha256(&model.path().join(&file.name)),
            "{}",
            file.name
        );
    }
    assert_eq!(
        (record.precision.as_str(), record.architecture.as_str()),
        ("8bit", "Qwen3ForCausalLM")
    );
    let header = Header::read(&converted.model).unwrap();
    let facts = Facts::of(&header);
    assert_eq!(facts.architecture.as_deref(), Some("qwen3"));
    assert_eq!(
        (facts.context, facts.layers, facts.vocabulary),
        (Some(32_768), Some(2), Some(832))
    );
    assert_eq!(facts.kept_per_token, Some(2 * 2 * 2 * 128));
    assert_eq!(facts.parameters, record.parameters);
    let (ours, theirs) = (
        TokenizerFiles::read(out.path()).unwrap(),
        TokenizerFiles::read(model.path()).unwrap(),
    );
    assert_eq!(
        (&ours.ends, &ours.templates, &ours.eos),
        (&theirs.ends, &theirs.templates, &theirs.eos)
    );
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
        for part in [
            "attn_q",
            "attn_k",
            "attn_v",
            "attn_output",
            "ffn_gate",
            "ffn_up",
            "ffn_down",
        ] {
            assert_eq!(kinds[&format!("blk.1.{part}.weight")], matrix, "{part}");
        }
        for part in [
            "attn_q.bias",
            "attn_v.bias",
            "attn_norm.weight",
            "ffn_norm.weight",
        ] {
            assert_eq!(kinds[&format!("blk.0.{part}")], "F32", "{part}");
        }
        let planned = planned_bytes(&Folder::open(model.path()).unwrap(), precision).unwrap();
        let facts = Facts::of(&Header::read(&converted.model).unwrap());
        assert_eq!(planned, facts.weight_bytes, "{precision}");
    }
}

#[test]
fn rows_that_do_not_fill_blocks_are_stored_by_the_next_coarser_rule() {
    // 224 is no multiple of 256, 512 is; 200 is none of 32 either.
    let narrow = Shape {
        hidden: 224,
        head_dim: 56,
        ..Shape::tiny(Architecture::Llama)
    };
    let out = tempfile::tempdir().unwrap();
    let kinds_of =
        |shape: &Shape, precision| kinds(&converted(written(shape).path(), out.path(), precision).model);
    let four = kinds_of(&narrow, Precision::Q4);
    assert_eq!(
        (four["output.weight"], four["blk.0.ffn_up.weight"]),
        ("Q8_0", "Q5_0")
    );
    assert_eq!(four["blk.0.ffn_down.weight"], "Q4_K");
    let odd = Shape {
        hidden: 200,
        head_dim: 50,
        ..narrow
    };
    assert_eq!(kinds_of(&odd, Precision::Q4)["blk.0.ffn_up.weight"], "F16");
    assert_eq!(kinds_of(&odd, Precision::Q8_0)["blk.0.ffn_up.weight"], "F16");
}

#[test]
fn the_same_source_makes_the_same_bytes_however_it_is_sharded_and_spelled() {
    let shape = Shape {
        dtype: Dtype::F32,
        ..Shape::tiny(Architecture::Llama)
    };
    let [one, four] = [1, 4].map(|shards| {
        let model = written(&Shape {
            shards,
            ..shape.clone()
        });
        let out = tempfile::tempdir().unwrap();
        let converted = converted(model.path(), out.path(), Precision::Q4);
        let kinds = kinds(&converted.model);
        (
            kinds,
            Facts::of(&Header::read(&converted.model).unwrap()).weight_bytes,
        )
    });
    assert_eq!(one, four);
    let model = written(&shape);
    let outs: Vec<_> = (0..2)
        .map(|_| {
            let out = tempfile::tempdir().unwrap();
            converted(model.path(), out.path(), Precision::Q4)
                .record
                .model
                .sha256
        })
        .collect();
    assert_eq!(outs[0], outs[1]);
}

#[test]
fn progress_goes_from_nothing_towards_all_and_can_stop_it() {
    let model = tiny(Architecture::Llama);
    let folder = Folder::open(model.path()).unwrap();
    let out = tempfile::tempdir().unwrap();
    let seen = Cell::new((0, 0));
    let watch = |progress: Progress<'_>| {
        let (count, before) = seen.get();
        assert!((before..=progress.total).contains(&progress.done));
        seen.set((count + 1, progress.done));
        ControlFlow::Continue(())
    };
    convert(&folder, out.path(), Precision::Q8_0, &watch).unwrap();
    let (pieces, last) = seen.get();
    let total: u64 = folder.weights().map(|(_, bytes)| bytes).sum();
    assert!(
        pieces >= 21 && last > total / 2,
        "{pieces} pieces, the last at {last} of {total}"
    );

    let before = names(out.path());
    let stamp = Record::read(out.path()).unwrap();
    let stop = |progress: Progress<'_>| match progress.tensor {
        "model.norm.weight" => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let stopped = convert(&folder, out.path(), Precision::F16, &stop).unwrap_err();
    assert_eq!(stopped.to_string(), "the conversion was cancelled");
    assert_eq!(
        names(out.path()),
        before,
        "the model of before is still there, and nothing else"
    );
    assert_eq!(Record::read(out.path()).unwrap(), stamp);
    assert_eq!(stamp.model.sha256, sha256(&out.path().join("model.gguf")));

    let empty = tempfile::tempdir().unwrap();
    convert(&folder, empty.path(), Precision::F16, &stop).unwrap_err();
    assert_eq!(names(empty.path()), [""; 0]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_sentence_and_leaves_no_half_file() {
    let model = tiny(Architecture::Llama);
    let out = tempfile::tempdir().unwrap();
    // The device on which every write finds the disk full, in the place of the file on its way.
    std::os::unix::fs::symlink("/dev/full", out.path().join("model.gguf.part")).unwrap();
    let full = convert(
        &Folder::open(model.path()).unwrap(),
        out.path(),
        Precision::F32,
        &go_on,
    )
    .unwrap_err();
    let sentence = format!(
        "the disk of {} is full; the converted model takes 7 MB there",
        out.path().display()
    );
    assert_eq!(full.to_string(), sentence);
    assert_eq!(names(out.path()), [""; 0]);
}

#[test]
fn two_conversions_into_one_place_do_not_meet() {
    let model = tiny(Architecture::Llama);
    let folder = Folder::open(model.path()).unwrap();
    let out = tempfile::tempdir().unwrap();
    let second = Cell::new(None);
    let meanwhile = |_: Progress<'_>| {
        if second.take().is_none() {
            let refused = convert(&folder, out.path(), Precision::F16, &go_on).map(|_| ());
            second.set(Some(refused.unwrap_err().to_string()));
        }
        ControlFlow::Continue(())
    };
    convert(&folder, out.path(), Precision::F16, &meanwhile).unwrap();
    let sentence = format!(
        "{} is being written by another conversion; wait for it",
        out.path().display()
    );
    assert_eq!(second.take(), Some(sentence));
}

/// Writes four bytes into the first number of a tensor of a float32 model in one file.
fn poisoned(tensor: &str, number: f32) -> TempDir {
    let model = written(&Shape {
        dtype: Dtype::F32,
        shards: 1,
        ..Shape::tiny(Architecture::Llama)
    });
    let file = model.path().join("model.safetensors");
    let mut bytes = fs::read(&file).unwrap();
    let data = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&bytes[8..data]).unwrap();
    let at = data + header[tensor]["data_offsets"][0].as_u64().unwrap() as usize;
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
    fs::write(file, bytes).unwrap();
    model
}

#[test]
fn numbers_that_a_precision_cannot_say_are_refused() {
    let tensor = "model.layers.1.mlp.up_proj.weight";
    let out = tempfile::tempdir().unwrap();
    let said = |model: &TempDir, precision| {
        convert(
            &Folder::open(model.path()).unwrap(),
            out.path(),
            precision,
            &go_on,
        )
        .unwrap_err()
        .to_string()
    };
    let large = poisoned(tensor, 70_000.0);
    assert_eq!(
        said(&large, Precision::F16),
        format!("tensor {tensor} holds 70000, more than float16 can say; convert to bfloat16 instead")
    );
    converted(large.path(), out.path(), Precision::BF16);
    for number in [f32::NAN, f32::NEG_INFINITY] {
        let sentence = format!(
            "tensor {tensor} in model.safetensors holds numbers that are not finite; the file is damaged: load it again"
        );
        assert_eq!(said(&poisoned(tensor, number), Precision::Q4), sentence);
    }
}

#[test]
fn a_second_output_beside_tied_embeddings_must_be_the_same_one() {
    let model = tiny(Architecture::Llama);
    let file = model.path().join("config.json");
    let text = fs::read_to_string(&file)
        .unwrap()
        .replace("\"tie_word_embeddings\": false", "\"tie_word_embeddings\": true");
    fs::write(&file, text).unwrap();
    let out = tempfile::tempdir().unwrap();
    let two = convert(
        &Folder::open(model.path()).unwrap(),
        out.path(),
        Precision::F16,
        &go_on,
    )
    .unwrap_err();
    assert!(
        two.to_string()
            .ends_with("but the files hold another lm_head.weight; one of them is wrong"),
        "{two}"
    );
}

#[test]
fn a_tokenizer_that_does_not_fit_is_refused() {
    let model = tiny(Architecture::Llama);
    let out = tempfile::tempdir().unwrap();
    let file = model.path().join("tokenizer.json");
    let mut json: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let said = |json: &serde_json::Value| {
        fs::write(&file, json.to_string()).unwrap();
        convert(
            &Folder::open(model.path()).unwrap(),
            out.path(),
            Precision::F16,
            &go_on,
        )
        .unwrap_err()
        .to_string()
    };
    json["added_tokens"][0]["id"] = 5000.into();
    assert_eq!(
        said(&json),
        "tokenizer.json numbers a token 5000, the embeddings have 832 rows only; the files are of different models"
    );
    json["added_tokens"][0]["id"] = 800.into();
    json["model"]["type"] = "WordPiece".into();
    assert_eq!(
        said(&json),
        "tokenizer.json is of a kind (WordPiece) that llama.cpp does not have; look for a GGUF file of this model"
    );
    let broken = said(&serde_json::json!({"model": {}}));
    assert!(
        broken.starts_with("tokenizer.json is not what it should be: missing field `vocab`"),
        "{broken}"
    );
}

#[test]
fn precisions_are_named_as_the_options_name_them() {
    for precision in Precision::ALL {
        assert_eq!(precision.name().parse(), Ok(precision));
    }
    assert_eq!("FP16".parse(), Ok(Precision::F16));
    assert_eq!(
        "3bit".parse::<Precision>(),
        Err("3bit is no precision; there are float32, float16, bfloat16, 8bit, 4bit".into())
    );
}
