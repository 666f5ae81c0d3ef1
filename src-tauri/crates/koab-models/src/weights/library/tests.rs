use super::*;
use koab_core::say;
use koab_local::library::{Conversion, Facts};
use std::path::PathBuf;

fn entry(origin: EntryOrigin) -> Entry {
    Entry {
        name: "org/name".to_owned(),
        kind: Kind::Safetensors,
        origin,
        path: PathBuf::from("/models/name"),
        bytes: 1_000,
        facts: Facts {
            architecture: Some("Qwen2ForCausalLM".to_owned()),
            parameters: Some(7),
            context: Some(4_096),
            licence: Some("apache-2.0".to_owned()),
            quantization: None,
        },
        conversions: vec![Conversion {
            precision: "8bit".to_owned(),
            path: PathBuf::from("/models/name/8bit"),
            bytes: 300,
            revision: None,
        }],
        problem: None,
    }
}

#[test]
fn a_model_of_the_disk_is_shown_with_where_it_comes_from() {
    let hub = || EntryOrigin::Hub {
        repo: "org/name".to_owned(),
        commit: "c1".to_owned(),
        commits: vec!["c1".to_owned(), "c2".to_owned()],
    };
    for (origin, place, commit, commits) in [
        (hub(), LocalPlace::Hub, Some("c1"), 2),
        (EntryOrigin::Converted, LocalPlace::Converted, None, 0),
        (EntryOrigin::Added, LocalPlace::Added, None, 0),
    ] {
        let shown = LocalModel::from(entry(origin));
        assert_eq!((shown.place, shown.commit.as_deref(), shown.commits), (place, commit, commits));
        assert_eq!((shown.id.as_str(), shown.name.as_str()), ("local/org/name", "org/name"));
        assert_eq!((shown.bytes, shown.parameters, shown.context), (1_000, Some(7), Some(4_096)));
        assert_eq!(shown.licence.as_deref(), Some("apache-2.0"));
        let conversions: Vec<_> =
            shown.conversions.iter().map(|one| (one.precision.as_str(), one.bytes)).collect();
        assert_eq!(conversions, [("8bit", 300)]);
    }
    let gguf =
        Entry { kind: Kind::Gguf, problem: Some(say!("a part is missing")), ..entry(EntryOrigin::Added) };
    let shown = LocalModel::from(gguf);
    assert_eq!((shown.kind, shown.problem.is_some()), (LocalKind::Gguf, true));
}

#[test]
fn each_error_of_the_library_has_its_code() {
    let name = || "x".to_owned();
    for (error, code) in [
        (LibraryError::NotThere { name: name() }, ErrorCode::NotFound),
        (LibraryError::NotThereBut { name: name(), near: "y".to_owned() }, ErrorCode::NotFound),
        (LibraryError::Several { name: name(), models: vec!["y".to_owned()] }, ErrorCode::BadRequest),
        (LibraryError::NotAModel { path: name(), why: say!("it is empty") }, ErrorCode::BadFile),
    ] {
        let sentence = error.to_string();
        let told = refused(error);
        assert_eq!((told.code, told.message.to_string()), (code, sentence));
    }
}

#[test]
fn a_part_of_a_model_is_the_library_s() {
    let precision = || Some("4bit".to_owned());
    for (asked, part) in [
        (LocalPart::Everything, Part::Everything),
        (LocalPart::Source, Part::Source),
        (LocalPart::Conversions { precision: None }, Part::Conversions(None)),
        (LocalPart::Conversions { precision: precision() }, Part::Conversions(precision())),
    ] {
        assert_eq!(format!("{:?}", part_of(&asked)), format!("{part:?}"));
    }
    let mut removal = Removal::default();
    removal.frees = 42;
    let shown = removal_view(&entry(EntryOrigin::Added), &removal);
    assert_eq!((shown.name.as_str(), shown.frees, shown.stays), ("org/name", 42, None));
    removal.stays = Some(PathBuf::from("/mine"));
    let shown = removal_view(&entry(EntryOrigin::Added), &removal);
    assert_eq!(shown.stays.as_deref(), Some("/mine"));
}
