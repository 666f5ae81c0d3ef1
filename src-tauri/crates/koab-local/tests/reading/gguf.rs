//! Headers of GGUF files: what was written is read, and no file brings the reader down.

use std::io::Cursor;

use koab_local::gguf::{
    Array, Facts, GgufError, Header, Split, TensorKind, TensorPlan, Value, Writer, parts_of,
};
use proptest::prelude::*;

fn plan(name: &str, shape: &[u64], kind: TensorKind) -> TensorPlan {
    TensorPlan { name: name.into(), shape: shape.to_vec(), kind }
}

/// A small model's file, and how long its header is.
fn file() -> Vec<u8> {
    let facts = [
        ("general.architecture", Value::from("llama")),
        ("general.name", "한국어 모델".into()),
        ("llama.context_length", 4096_u32.into()),
        ("llama.block_count", 2_u32.into()),
        ("llama.embedding_length", 64_u32.into()),
        ("llama.attention.head_count", 4_u32.into()),
        ("llama.attention.head_count_kv", Value::Array(Array::Integers(vec![2, 1]))),
        ("split.count", 3_u32.into()),
        ("split.no", 1_u32.into()),
        ("tokenizer.ggml.model", "gpt2".into()),
        ("tokenizer.ggml.tokens", Value::Array(Array::Texts((0..5000).map(|id| id.to_string()).collect()))),
        ("tokenizer.chat_template", "{{ messages }}".into()),
        ("some.negative", Value::Signed(-3)),
        ("some.floats", Value::Array(Array::Floats(vec![0.5, 2.0]))),
        ("some.yes", true.into()),
    ];
    let facts: Vec<_> = facts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let tensors = [plan("a", &[32, 3], TensorKind::Q8_0), plan("b", &[5], TensorKind::F32)];
    let mut writer = Writer::new(Vec::new(), &facts, &tensors).unwrap();
    writer.write(&[7; 102]).unwrap();
    writer.write(&[8; 20]).unwrap();
    writer.finish().unwrap()
}

fn read(bytes: &[u8]) -> Result<Header, GgufError> {
    Header::from_reader(Cursor::new(bytes))
}

#[test]
fn what_was_written_is_read() {
    let bytes = file();
    let header = read(&bytes).unwrap();
    assert_eq!(header.facts["general.name"], Value::from("한국어 모델"));
    assert_eq!(header.facts["some.negative"], Value::Signed(-3));
    assert_eq!(header.facts["some.floats"], Value::Array(Array::Floats(vec![0.5, 2.0])));
    assert_eq!(header.facts["tokenizer.ggml.tokens"], Value::Array(Array::Counted(5000)));
    assert_eq!((header.data_at % 32, header.file_bytes), (0, bytes.len() as u64));
    let [a, b] = header.tensors.as_slice() else { panic!("{:?}", header.tensors) };
    assert_eq!(
        (a.name.as_str(), a.shape.as_slice(), a.kind, a.offset),
        ("a", &[32, 3][..], Some(TensorKind::Q8_0), 0)
    );
    assert_eq!((b.kind, b.offset), (Some(TensorKind::F32), 128));
    assert_eq!(bytes[header.data_at as usize..][..102], [7; 102]);
    assert_eq!(bytes[header.data_at as usize + 128..][..20], [8; 20]);
}

#[test]
fn the_facts_say_what_a_plan_for_memory_asks() {
    let facts = Facts::from_header(&read(&file()).unwrap());
    assert_eq!(facts.architecture.as_deref(), Some("llama"));
    assert_eq!(
        (facts.context, facts.layers, facts.hidden, facts.heads),
        (Some(4096), Some(2), Some(64), Some(4))
    );
    // Two heads in one layer, one in the other, 16 wide, keys and values.
    assert_eq!(facts.kept_per_token, Some(3 * 16 * 2));
    assert_eq!((facts.vocabulary, facts.tokenizer.as_deref()), (Some(5000), Some("gpt2")));
    assert_eq!(facts.chat_template.as_deref(), Some("{{ messages }}"));
    assert_eq!(facts.split, Some(Split { part: 1, count: 3 }));
    assert_eq!((facts.parameters, facts.weight_bytes), (101, 122));
    assert_eq!(facts.kinds, [("Q8_0".to_owned(), 96)]);
}

#[test]
fn a_writer_takes_exactly_the_tensors_it_was_told() {
    let tensors = [plan("a", &[8], TensorKind::F32)];
    let mut writer = Writer::new(Vec::new(), &[], &tensors).unwrap();
    assert!(writer.write(&[0; 33]).is_err());
    writer.write(&[0; 31]).unwrap();
    assert!(writer.finish().is_err());
    let odd = Writer::new(Vec::new(), &[], &[plan("a", &[100, 2], TensorKind::Q4_K)]).unwrap_err();
    assert_eq!(odd.to_string(), "a: rows of 100 do not fill Q4_K blocks of 256");
}

#[test]
fn every_fault_is_one_sentence() {
    let good = file();
    let mut no_version = good.clone();
    no_version[4..8].copy_from_slice(&9_u32.to_le_bytes());
    let mut other_way = good.clone();
    other_way[4..8].copy_from_slice(&3_u32.to_be_bytes());
    let mut first = good.clone();
    first[4..8].copy_from_slice(&1_u32.to_le_bytes());
    let mut many = good.clone();
    many[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
    let cut_tensor = &good[..good.len() - 32];
    for (bytes, said) in [
        (&b""[..], "this is not a GGUF file: it does not begin with the letters GGUF"),
        (b"PK\x03\x04....", "this is not a GGUF file: it does not begin with the letters GGUF"),
        (
            &no_version,
            "the file is GGUF of version 9; versions 2 and 3 can be read: convert the model anew or fetch a newer file",
        ),
        (
            &first,
            "the file is GGUF of version 1; versions 2 and 3 can be read: convert the model anew or fetch a newer file",
        ),
        (&other_way, "the file was made for big-endian computers; fetch the ordinary (little-endian) file"),
        (&many, "the file is corrupt: it claims 18446744073709551615 for the number of tensors"),
        (&good[..200], "the file is cut off: its header continues beyond its 200 bytes; fetch it again"),
    ] {
        assert_eq!(read(bytes).unwrap_err().to_string(), said);
    }
    let said = read(cut_tensor).unwrap_err().to_string();
    assert!(said.starts_with("the file is cut off: tensor b ends at byte "), "{said}");
}

#[test]
fn the_parts_of_a_split_model_are_found_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let part = |number: u32| folder.path().join(format!("big-{number:05}-of-00003.gguf"));
    for number in 1..=2 {
        std::fs::write(part(number), "").unwrap();
    }
    let said = parts_of(&part(2)).unwrap_err().to_string();
    assert_eq!(
        said,
        "the model is split into 3 files and big-00003-of-00003.gguf is missing beside the others"
    );
    std::fs::write(part(3), "").unwrap();
    assert_eq!(parts_of(&part(2)).unwrap(), [part(1), part(2), part(3)]);
    let alone = folder.path().join("a-of-b.gguf");
    assert_eq!(parts_of(&alone).unwrap(), [alone]);
}

/// A file's front, as it would be written, with one thing in it that no honest writer writes.
fn hostile(kind: u32, rest: &[u8]) -> Vec<u8> {
    let mut bytes = b"GGUF\x03\0\0\0".to_vec();
    bytes.extend(0_u64.to_le_bytes());
    bytes.extend(1_u64.to_le_bytes());
    bytes.extend(1_u64.to_le_bytes());
    bytes.push(b'k');
    bytes.extend(kind.to_le_bytes());
    bytes.extend(rest);
    bytes.resize(bytes.len().max(4096), 0);
    bytes
}

#[test]
fn lengths_that_a_file_only_claims_are_not_believed() {
    let huge = u64::MAX.to_le_bytes();
    let text = hostile(8, &huge);
    assert!(matches!(read(&text), Err(GgufError::Count { .. })));
    for of in [0_u32, 4, 6, 8, 10] {
        let list = hostile(9, &[&of.to_le_bytes()[..], &huge].concat());
        assert!(matches!(read(&list), Err(GgufError::Count { .. })), "{of}");
    }
    // A list of lists of lists, and a type that there is not.
    let nested = hostile(9, &[&9_u32.to_le_bytes()[..], &1_u64.to_le_bytes(), &9_u32.to_le_bytes()].concat());
    assert!(matches!(read(&nested), Err(GgufError::ValueType { code: 9, .. })));
    assert!(matches!(read(&hostile(13, &[])), Err(GgufError::ValueType { code: 13, .. })));
    assert!(matches!(
        read(&hostile(8, &[2, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xfe])),
        Err(GgufError::NotText { .. })
    ));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_file_is_read_or_refused(at in 0_usize..600, bytes in prop::collection::vec(any::<u8>(), 1..16), keep in 0.0..1.0) {
        let mut file = file();
        let at = at.min(file.len() - bytes.len());
        file[at..at + bytes.len()].copy_from_slice(&bytes);
        file.truncate((file.len() as f64 * keep) as usize);
        if let Ok(header) = read(&file) {
            let _ = Facts::from_header(&header);
        }
    }

    #[test]
    fn noise_behind_the_magic_is_read_or_refused(noise in prop::collection::vec(any::<u8>(), 0..400), tensors in 0_u64..3, facts in 0_u64..3) {
        let mut file = b"GGUF\x03\0\0\0".to_vec();
        file.extend(tensors.to_le_bytes());
        file.extend(facts.to_le_bytes());
        file.extend(noise);
        if let Ok(header) = read(&file) {
            let _ = Facts::from_header(&header);
        }
    }
}
