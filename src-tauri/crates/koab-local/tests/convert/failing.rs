//! A conversion that fails or is stopped leaves nothing, and says in a sentence why.

use std::cell::Cell;
use std::fs;
use std::ops::ControlFlow;

use koab_local::convert::{Precision, Progress, Record, convert};
use koab_local::hf::Folder;
use koab_tiny::{Architecture, Dtype, Shape};
use tempfile::TempDir;

use crate::convert::{converted, go_on, names, sha256, tiny, written};

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
    assert!(pieces >= 21 && last > total / 2, "{pieces} pieces, the last at {last} of {total}");

    let before = names(out.path());
    let stamp = Record::read(out.path()).unwrap();
    let stop = |progress: Progress<'_>| match progress.tensor {
        "model.norm.weight" => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let stopped = convert(&folder, out.path(), Precision::F16, &stop).unwrap_err();
    assert_eq!(stopped.to_string(), "the conversion was cancelled");
    assert_eq!(names(out.path()), before, "the model of before is still there, and nothing else");
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
    let full = convert(&Folder::open(model.path()).unwrap(), out.path(), Precision::F32, &go_on).unwrap_err();
    let sentence =
        format!("the disk of {} is full; the converted model takes 7 MB there", out.path().display());
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
    let sentence = format!("{} is being written by another conversion; wait for it", out.path().display());
    assert_eq!(second.take(), Some(sentence));
}

/// Writes four bytes into the first number of a tensor of a float32 model in one file.
fn poisoned(tensor: &str, number: f32) -> TempDir {
    let model = written(&Shape { dtype: Dtype::F32, shards: 1, ..Shape::tiny(Architecture::Llama) });
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
        convert(&Folder::open(model.path()).unwrap(), out.path(), precision, &go_on).unwrap_err().to_string()
    };
    let large = poisoned(tensor, 70_000.0);
    assert_eq!(
        said(&large, Precision::F16),
        format!("tensor {tensor} holds 70000, which float16 cannot represent; convert to bfloat16 instead")
    );
    converted(large.path(), out.path(), Precision::BF16);
    for number in [f32::NAN, f32::NEG_INFINITY] {
        let sentence = format!(
            "tensor {tensor} in model.safetensors holds numbers that are not finite; the file is damaged: fetch it again"
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
    let two = convert(&Folder::open(model.path()).unwrap(), out.path(), Precision::F16, &go_on).unwrap_err();
    assert!(
        two.to_string().ends_with("but the files hold another lm_head.weight; one of them is wrong"),
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
        convert(&Folder::open(model.path()).unwrap(), out.path(), Precision::F16, &go_on)
            .unwrap_err()
            .to_string()
    };
    json["added_tokens"][0]["id"] = 5000.into();
    assert_eq!(
        said(&json),
        "tokenizer.json has a token with the number 5000, but the embeddings have only 832 rows; the files are of different models"
    );
    json["added_tokens"][0]["id"] = 800.into();
    json["model"]["type"] = "WordPiece".into();
    assert_eq!(
        said(&json),
        "tokenizer.json is of a kind (WordPiece) that llama.cpp does not have; look for a GGUF file of this model"
    );
    let broken = said(&serde_json::json!({"model": {}}));
    assert!(broken.starts_with("tokenizer.json is not valid: missing field `vocab`"), "{broken}");
}
