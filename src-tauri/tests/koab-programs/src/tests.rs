use super::*;
use std::cell::Cell;
use std::time::{Duration, SystemTime};

#[test]
fn a_set_is_made_once_for_its_versions() {
    let cache = tempfile::tempdir().expect("a folder");
    let made = Cell::new(0);
    let get = |versions: &str| {
        kept_in(cache.path(), "agent", versions, |folder| {
            made.set(made.get() + 1);
            fs::write(folder.join("program"), versions).map_err(|error| error.to_string())
        })
        .expect("made")
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
    let refused = kept_in(cache.path(), "agent", "1.0", |folder| {
        fs::write(folder.join("half"), "").expect("written");
        Err("no network".to_owned())
    });
    assert_eq!(refused, Err("no network".to_owned()));
    let folder = kept_in(cache.path(), "agent", "1.0", |folder| {
        assert!(!folder.join("half").exists());
        Ok(())
    });
    let folder = folder.expect("made");
    assert!(folder.join(STAMP).exists());
}

#[test]
fn a_set_that_nothing_asks_for_is_removed_with_the_next_that_is_made() {
    let cache = tempfile::tempdir().expect("a folder");
    let get = |versions: &str| kept_in(cache.path(), "agent", versions, |_| Ok(())).expect("made");
    let last_asked = |folder: &Path, days: u32| {
        let stamp = File::options().write(true).open(folder.join(STAMP)).expect("there");
        let then = SystemTime::now() - days * Duration::from_secs(24 * 60 * 60);
        stamp.set_modified(then).expect("set");
    };
    let (old, used, recent) = (get("1.0"), get("2.0"), get("3.0"));
    for (folder, days) in [(&old, 31), (&used, 31), (&recent, 29)] {
        last_asked(folder, days);
    }
    assert_eq!(get("2.0"), used);
    assert!(old.exists(), "nothing was made");
    let newest = get("4.0");
    assert_eq!([&old, &used, &recent, &newest].map(|folder| folder.exists()), [false, true, true, true]);
}
