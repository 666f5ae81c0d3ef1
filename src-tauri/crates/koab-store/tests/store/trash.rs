//! The trash: what goes in comes out whole, in any order, also after a process was killed.

use crate::support::{folder, import, starter, tool, workspace};
use koab_store::{Store, Trash, TrashKind, TrashPlaces};
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};
use tempfile::TempDir;

/// Environment variable with the folder in which the child of the kill test works.
const CHILD: &str = "KOAB_TRASH_CHILD";
const FILES: usize = 40;
const FOLDERS: [TrashKind; 3] = [TrashKind::Run, TrashKind::Report, TrashKind::Fork];

fn places(home: &Path) -> TrashPlaces {
    TrashPlaces {
        trash: home.join("trash"),
        runs: home.join("logs/by_model"),
        reports: home.join("reports"),
        forks: home.join("forks"),
    }
}

fn trash(home: &Path) -> Trash<'static> {
    Trash::new(places(home), None)
}

fn live(home: &Path, kind: TrashKind, id: &str) -> PathBuf {
    let places = places(home);
    match kind {
        TrashKind::Run => places.runs.join(id),
        TrashKind::Report => places.reports.join(id),
        TrashKind::Fork | TrashKind::Pack => places.forks.join(id),
    }
}

/// Writes a thing with one file of this content.
fn write(home: &Path, kind: TrashKind, id: &str, content: &str) {
    let (file, text) = match kind {
        TrashKind::Run => ("L1.json", json!({"metadata": {"model": "provider/m", "mark": content}})),
        TrashKind::Report => {
            ("evaluation_report.json", json!({"summary": {"model": "provider/m"}, "mark": content}))
        }
        _ => ("fork.json", json!({"name": "갈래", "model": "provider/m", "mark": content})),
    };
    let folder = live(home, kind, id);
    fs::create_dir_all(&folder).expect("made");
    fs::write(folder.join(file), text.to_string()).expect("written");
}

fn mark(home: &Path, kind: TrashKind, id: &str) -> Option<String> {
    let entry = fs::read_dir(live(home, kind, id)).ok()?.flatten().next()?;
    let text = fs::read_to_string(entry.path()).expect("read");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let mark = value["mark"].as_str().or(value["metadata"]["mark"].as_str());
    mark.map(str::to_owned)
}

fn home() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs()
}

#[test]
fn each_kind_comes_back_as_it_was() {
    for (kind, id, name) in [
        (TrashKind::Run, "m/20251219_113310", None),
        (TrashKind::Report, "m_20251219", None),
        (TrashKind::Fork, "20251219_L1-001", Some("갈래")),
    ] {
        let home = home();
        write(home.path(), kind, id, "x");
        let deleted = trash(home.path()).put(kind, id).expect("deleted");
        assert!(deleted.unremoved.is_empty());
        assert_eq!(mark(home.path(), kind, id), None);
        let [item] = &trash(home.path()).list().expect("listed")[..] else { panic!("one") };
        assert_eq!((item.kind, item.id.as_str(), item.key.as_str()), (kind, id, deleted.key.as_str()));
        assert_eq!((item.name.as_deref(), item.model.as_deref()), (name, Some("provider/m")));
        assert!(item.deleted.is_some_and(|time| time.abs_diff(now()) < 60) && item.bytes > 20, "{item:?}");
        assert_eq!(trash(home.path()).restore(kind, &deleted.key).expect("restored"), id);
        assert_eq!(mark(home.path(), kind, id).as_deref(), Some("x"));
        let error = trash(home.path()).restore(kind, &deleted.key).expect_err("it is back").to_string();
        assert!(error.starts_with("the trash has no "), "{error}");
        trash(home.path()).put(kind, id).expect("deleted again");
        write(home.path(), kind, id, "other");
        let key = trash(home.path()).last(kind, id).expect("there");
        let error = trash(home.path()).restore(kind, &key).expect_err("the name is taken").to_string();
        assert_eq!(error, format!("there is another `{id}` by now; delete it first"));
        assert_eq!(mark(home.path(), kind, id).as_deref(), Some("other"));
        trash(home.path()).remove(kind, &key).expect("removed");
        assert!(trash(home.path()).list().expect("listed").is_empty());
    }
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let home = home();
    write(home.path(), TrashKind::Report, "kept", "x");
    for kind in FOLDERS {
        for name in [
            "",
            ".",
            "..",
            "/",
            "../reports",
            "../reports/kept",
            "a/../../reports",
            "m/..",
            "/etc",
            ".hidden/x",
        ] {
            trash(home.path()).put(kind, name).expect_err(name);
            trash(home.path()).restore(kind, name).expect_err(name);
            trash(home.path()).remove(kind, name).expect_err(name);
        }
    }
    assert!(live(home.path(), TrashKind::Report, "kept").is_dir());
}

#[test]
fn what_earlier_versions_deleted_is_there_and_its_days_begin_now() {
    let home = home();
    for (kind, id, old) in [
        (TrashKind::Run, "m/20251219_1", "trash/runs/m/20251219_1"),
        (TrashKind::Fork, "20251219_L1", "trash/forks/20251219_L1"),
        (TrashKind::Report, "m_20251219", "trash/reports/m_20251219~1700000000"),
    ] {
        write(home.path(), kind, id, "old");
        let old = home.path().join(old);
        fs::create_dir_all(old.parent().expect("a parent")).expect("made");
        fs::rename(live(home.path(), kind, id), old).expect("moved");
    }
    let items = trash(home.path()).list().expect("listed");
    let told: Vec<_> = items.iter().map(|item| (item.id.as_str(), item.deleted)).collect();
    assert_eq!(told, [("m_20251219", Some(1_700_000_000)), ("20251219_L1", None), ("m/20251219_1", None)]);
    write(home.path(), TrashKind::Report, "another", "x");
    trash(home.path()).put(TrashKind::Report, "another").expect("deleted");
    let items = trash(home.path()).list().expect("listed");
    let mut ids: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["20251219_L1", "another", "m/20251219_1"], "30 days are over for one of them");
    assert!(items.iter().all(|item| item.deleted.is_some_and(|time| time.abs_diff(now()) < 60)));
    for (kind, id) in [(TrashKind::Run, "m/20251219_1"), (TrashKind::Fork, "20251219_L1")] {
        let key = trash(home.path()).last(kind, id).expect("there");
        assert_eq!(trash(home.path()).restore(kind, &key).expect("restored"), id);
        assert_eq!(mark(home.path(), kind, id).as_deref(), Some("old"));
    }
}

#[test]
fn what_is_over_30_days_old_goes_at_the_next_deletion_of_any_kind() {
    let home = home();
    let day = 24 * 60 * 60;
    for (at, age) in [(31, 31 * day), (29, 29 * day)] {
        for (kind, name) in [("runs", "m/r"), ("reports", "r"), ("forks", "f")] {
            let folder = home.path().join("trash").join(kind).join(format!("{name}{at}~{}", now() - age));
            fs::create_dir_all(folder).expect("made");
        }
    }
    assert_eq!(trash(home.path()).list().expect("listed").iter().filter(|item| item.is_overdue()).count(), 3);
    write(home.path(), TrashKind::Fork, "now", "x");
    let deleted = trash(home.path()).put(TrashKind::Fork, "now").expect("deleted");
    assert!(deleted.unremoved.is_empty(), "{deleted:?}");
    let ids: Vec<String> =
        trash(home.path()).list().expect("listed").into_iter().map(|item| item.id).collect();
    assert_eq!(ids, ["now", "f29", "m/r29", "r29"]);
}

#[test]
fn what_cannot_be_removed_is_said_stays_whole_and_is_tried_again() {
    let home = home();
    let old = home.path().join("trash/reports/stuck~1700000000");
    fs::create_dir_all(&old).expect("made");
    // A file where removals need a folder.
    let blocker = home.path().join("trash/.removing");
    fs::write(&blocker, "x").expect("written");
    let delete = |id: &str| {
        write(home.path(), TrashKind::Report, id, "x");
        trash(home.path()).put(TrashKind::Report, id).expect("deleted").unremoved
    };
    let told = delete("a");
    let [told] = &told[..] else { panic!("{told:?}") };
    assert!(told.to_string().starts_with("`stuck` has been in the trash for more than 30 days"), "{told}");
    let emptied = trash(home.path()).empty().expect("emptied");
    assert_eq!((emptied.removed, emptied.unremoved.len()), (0, 2), "{emptied:?}");
    let items = trash(home.path()).list().expect("listed");
    assert_eq!(items.iter().map(|item| item.is_overdue()).collect::<Vec<_>>(), [false, true]);
    fs::remove_file(&blocker).expect("removed");
    assert!(delete("b").is_empty());
    assert!(!old.exists());
}

fn packs(store: &Store) -> Vec<(String, bool)> {
    let packs = store.packs().expect("read").into_iter();
    packs.map(|pack| (pack.manifest.name, pack.active)).collect()
}

#[test]
fn a_pack_comes_back_with_its_hash_and_as_the_active_one() {
    let (space, home) = (workspace(), home());
    import(&space, folder(&starter()).path());
    let other = [
        ("tasks/pack.json", json!({"format": 1, "name": "other", "version": "1"}).to_string()),
        ("tasks/L1.json", json!([crate::support::task("L1-001", "x")]).to_string()),
    ];
    import(&space, folder(&other).path());
    let trash = Trash::new(places(home.path()), Some(&space.store));
    let before = space.store.export_pack("starter").expect("exported");
    let info = space.store.pack_info("starter").expect("there");
    let made = space.store.create_snapshot("starter", "s", "").expect("made");
    let deleted = trash.put(TrashKind::Pack, "starter").expect("deleted");
    assert_eq!(packs(&space.store), [("other".to_owned(), true)]);
    assert!(!space.store.snapshot("s").expect("there").installed);
    let [item] = &trash.list().expect("listed")[..] else { panic!("one") };
    assert_eq!((item.id.as_str(), item.name.as_deref()), ("starter", Some("Starter")));
    assert_eq!(item.key, deleted.key);
    assert!(item.bytes > 100, "{item:?}");
    assert_eq!(trash.last(TrashKind::Pack, "starter").expect("there"), deleted.key);
    assert_eq!(trash.restore(TrashKind::Pack, &deleted.key).expect("restored"), "starter");
    assert_eq!(space.store.pack_info("starter").expect("there"), info);
    assert_eq!(space.store.export_pack("starter").expect("exported"), before);
    assert!(space.store.verify_pack("starter").expect("verified").is_empty());
    let now = space.store.snapshot("s").expect("there");
    assert_eq!((now.installed, now.hash), (true, made.hash.clone()));
    assert_eq!(
        crate::support::answer(&space, "starter", &tool("Search_x"), json!({"query": "가"})),
        Some(json!({"asked": {"query": "가"}}))
    );

    // Another pack of the name keeps it out; a removal for good leaves what a snapshot reads.
    let deleted = trash.put(TrashKind::Pack, "starter").expect("deleted");
    import(&space, folder(&starter()).path());
    trash.restore(TrashKind::Pack, &deleted.key).expect_err("the name is taken");
    space.store.remove_pack("starter").expect("removed");
    trash.remove(TrashKind::Pack, &deleted.key).expect("removed");
    trash.restore(TrashKind::Pack, &deleted.key).expect_err("gone");
    assert_eq!(space.store.snapshot("s").expect("there").hash, made.hash);
    space.store.delete_snapshot("s").expect("deleted");
    let database = rusqlite::Connection::open(space.store.path()).expect("opened");
    let left: i64 = database.query_row("SELECT COUNT(*) FROM record", [], |row| row.get(0)).expect("counted");
    assert_eq!(left, 0, "nothing stays");
}

#[test]
fn a_pack_is_removed_after_30_days_like_the_rest() {
    let (space, home) = (workspace(), home());
    import(&space, folder(&starter()).path());
    let trash = Trash::new(places(home.path()), Some(&space.store));
    let key = trash.put(TrashKind::Pack, "starter").expect("deleted").key;
    let database = rusqlite::Connection::open(space.store.path()).expect("opened");
    let (_, time) = key.rsplit_once('~').expect("a time");
    database.execute("UPDATE pack SET name = replace(name, ?1, '1700000000')", [time]).expect("aged");
    assert!(trash.list().expect("listed")[0].is_overdue());
    write(home.path(), TrashKind::Report, "a", "x");
    trash.put(TrashKind::Report, "a").expect("deleted");
    let kinds: Vec<TrashKind> = trash.list().expect("listed").into_iter().map(|item| item.kind).collect();
    assert_eq!(kinds, [TrashKind::Report]);
    let left: i64 = database.query_row("SELECT COUNT(*) FROM pack", [], |row| row.get(0)).expect("counted");
    assert_eq!(left, 0);
}

/// A step of the property test on one of few things.
#[derive(Clone, Debug)]
enum Step {
    Make,
    Put,
    RestoreLast,
    RemoveLast,
    Empty,
}

fn steps() -> impl Strategy<Value = Vec<(Step, usize, usize)>> {
    let step = prop_oneof![
        4 => Just(Step::Make),
        4 => Just(Step::Put),
        3 => Just(Step::RestoreLast),
        1 => Just(Step::RemoveLast),
        1 => Just(Step::Empty),
    ];
    prop::collection::vec((step, 0..FOLDERS.len(), 0..2_usize), 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// A model of two maps: what is there, and what is in the trash in the order of its deletion.
    #[test]
    fn nothing_is_lost_and_nothing_is_made_up(steps in steps()) {
        let home = home();
        let trash = trash(home.path());
        let mut there: BTreeMap<(usize, usize), String> = BTreeMap::new();
        let mut kept: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
        for (count, (step, kind_at, which)) in steps.into_iter().enumerate() {
            let kind = FOLDERS[kind_at];
            let id = match kind {
                TrashKind::Run => format!("m/{which}"),
                _ => format!("a~{which}"),
            };
            let place = (kind_at, which);
            match step {
                Step::Make => {
                    if let std::collections::btree_map::Entry::Vacant(free) = there.entry(place) {
                        write(home.path(), kind, &id, &count.to_string());
                        free.insert(count.to_string());
                    }
                }
                Step::Put => {
                    let moved = there.remove(&place);
                    prop_assert_eq!(trash.put(kind, &id).is_ok(), moved.is_some());
                    kept.entry(place).or_default().extend(moved);
                }
                Step::RestoreLast => {
                    let mark = kept.get(&place).and_then(|marks| marks.last().cloned());
                    let restored = trash.last(kind, &id).and_then(|key| trash.restore(kind, &key));
                    prop_assert_eq!(restored.is_ok(), mark.is_some() && !there.contains_key(&place));
                    if restored.is_ok() {
                        kept.get_mut(&place).and_then(Vec::pop);
                        there.extend(mark.map(|mark| (place, mark)));
                    }
                }
                Step::RemoveLast => {
                    let removed = trash.last(kind, &id).and_then(|key| trash.remove(kind, &key));
                    prop_assert_eq!(removed.is_ok(), kept.get_mut(&place).and_then(Vec::pop).is_some());
                }
                Step::Empty => {
                    let count: usize = kept.values().map(Vec::len).sum();
                    prop_assert_eq!(trash.empty().expect("emptied").removed as usize, count);
                    kept.clear();
                }
            }
            for (kind_at, kind) in FOLDERS.into_iter().enumerate() {
                for which in 0..2 {
                    let id = if kind == TrashKind::Run { format!("m/{which}") } else { format!("a~{which}") };
                    prop_assert_eq!(&mark(home.path(), kind, &id), &there.get(&(kind_at, which)).cloned());
                }
            }
            let count: usize = kept.values().map(Vec::len).sum();
            prop_assert_eq!(trash.list().expect("listed").len(), count);
        }
    }
}

/// Makes a thing of many files, whole or not at all.
fn make_whole(home: &Path, kind: TrashKind, id: &str) {
    let staged = tempfile::tempdir_in(home).expect("a folder").keep();
    for n in 0..FILES {
        fs::write(staged.join(format!("{n}.json")), "{}").expect("written");
    }
    let target = live(home, kind, id);
    fs::create_dir_all(target.parent().expect("a parent")).expect("made");
    fs::rename(staged, target).expect("moved");
}

/// Deletes, restores and removes without end, and says so after each step.
#[expect(clippy::print_stdout, reason = "the test that kills it counts the steps")]
fn churn(home: &Path) {
    let trash = trash(home);
    for round in 0_u32.. {
        for kind in FOLDERS {
            let id = if kind == TrashKind::Run { format!("m/{round}") } else { round.to_string() };
            make_whole(home, kind, &id);
            let key = trash.put(kind, &id).expect("deleted").key;
            println!("\nput");
            trash.restore(kind, &key).expect("restored");
            println!("\nrestored");
            let key = trash.put(kind, &id).expect("deleted").key;
            println!("\nput again");
            if round % 2 == 0 {
                trash.remove(kind, &key).expect("removed");
                println!("\nremoved");
            }
        }
    }
}

#[test]
fn a_killed_process_leaves_every_thing_whole_in_one_place() {
    if let Some(home) = std::env::var_os(CHILD) {
        return churn(Path::new(&home));
    }
    for lines in [1, 2, 3, 5, 8, 13, 21] {
        let home = home();
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "trash::a_killed_process_leaves_every_thing_whole_in_one_place", "--nocapture"])
            .env(CHILD, home.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("started");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let told = ["put", "restored", "put again", "removed"];
        let is_told = |line: &String| told.contains(&line.as_str());
        // The pipe stays open, so that the child ends by the kill alone.
        let mut steps = output.lines().map_while(Result::ok).filter(is_told);
        assert_eq!(steps.by_ref().take(lines).count(), lines);
        child.kill().expect("killed");
        child.wait().expect("ended");
        let items = trash(home.path()).list().expect("listed");
        for item in &items {
            let folder = home.path().join("trash").join(match item.kind {
                TrashKind::Run => "runs",
                TrashKind::Report => "reports",
                TrashKind::Fork | TrashKind::Pack => "forks",
            });
            assert_eq!(fs::read_dir(folder.join(&item.key)).expect("read").count(), FILES, "{item:?}");
            assert!(!live(home.path(), item.kind, &item.id).exists(), "{item:?} is in two places");
        }
        for kind in FOLDERS {
            let root = live(home.path(), kind, if kind == TrashKind::Run { "m" } else { "" });
            for entry in fs::read_dir(root).into_iter().flatten().flatten() {
                assert_eq!(fs::read_dir(entry.path()).expect("read").count(), FILES, "{:?}", entry.path());
            }
        }
        for item in items {
            trash(home.path()).restore(item.kind, &item.key).expect("it can be restored");
        }
        let emptied = trash(home.path()).empty().expect("emptied");
        assert_eq!((emptied.removed, emptied.unremoved.len()), (0, 0));
        let removing = fs::read_dir(home.path().join("trash/.removing")).into_iter().flatten().count();
        assert_eq!(removing, 0, "what a kill left of a removal is gone");
    }
}
