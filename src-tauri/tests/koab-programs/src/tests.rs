use super::*;
use std::cell::Cell;

#[test]
fn a_set_is_made_once_for_its_versions() {
    let cache = tempfile::tempdir().expect("a folder");
    let made = Cell::new(0);
    let get = |versions: &str| {
        kept_in(cache.path(), "agent", versions, |folder| {
            made.set(made.get() + 1);
            fs::write(folder.join("program"), versions).expect("written");
        })
    };
    let first = get("1.0");
    assert_eq!((get("1.0"), made.get()), (first.clone(), 1));
    let second = get("2.0");
    assert_ne!(first, second);
    assert_eq!(made.get(), 2);
    assert_eq!(fs::read_to_string(first.join("program")).expect("read"), "1.0");
}

#[test]
fn what_was_made_halfway_is_made_anew() {
    let cache = tempfile::tempdir().expect("a folder");
    let failed = std::panic::catch_unwind(|| {
        kept_in(cache.path(), "agent", "1.0", |folder| {
            fs::write(folder.join("half"), "").expect("written");
            panic!("the registry does not answer");
        })
    });
    assert!(failed.is_err());
    let folder = kept_in(cache.path(), "agent", "1.0", |folder| {
        assert!(!folder.join("half").exists());
    });
    assert!(folder.join(STAMP).exists());
}
