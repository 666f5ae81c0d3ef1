use super::*;
use crate::report_files::ReportTexts;
use crate::{Trash, TrashKind, TrashPlaces};
use std::cell::RefCell;
use std::fs;
use std::path::PathBuf;

struct Fixture {
    root: tempfile::TempDir,
    store: Store,
    read: RefCell<Vec<String>>,
    listed: Listed<String>,
}

impl Fixture {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a folder");
        Self {
            store: Store::open(&root.path().join("koab.sqlite")).expect("opened"),
            root,
            read: RefCell::default(),
            listed: Listed::default(),
        }
    }

    fn reports(&self) -> PathBuf {
        self.root.path().join("reports")
    }

    fn write(&self, id: &str, json: &str) {
        let texts = ReportTexts { json: Some(json), ..ReportTexts::default() };
        report_files::write(&self.reports().join(id), texts).expect("written");
    }

    /// Ids listed, and those that had to be read for it.
    fn list(&self, version: &str) -> (Vec<String>, Vec<String>) {
        let read = |folder: &ReportFolder| {
            self.read.borrow_mut().push(folder.id.clone());
            IndexEntry {
                facts: format!("facts of {}", folder.id),
                conditions: version.to_owned(),
                outcomes: format!("outcomes of {}", folder.id),
            }
        };
        let made = RefCell::new(Vec::new());
        let row = |folder: &ReportFolder, facts: &str| {
            made.borrow_mut().push(folder.id.clone());
            facts.to_owned()
        };
        let (store, reports) = (&self.store, self.reports());
        let found = store.reports(&reports, version, &self.listed, read, row).expect("listed");
        for report in &found {
            assert_eq!(*report.row, format!("facts of {}", report.folder.id));
        }
        assert_eq!(made.take(), *self.read.borrow(), "what has not changed is there already");
        // Another process has nothing in its memory.
        let anew = store.reports(&reports, version, &Listed::default(), read, row).expect("listed");
        assert_eq!((&anew, made.take().len()), (&found, found.len()));
        let kept = self.store.report_outcomes().expect("read");
        let told = |id: &str| (id.to_owned(), version.to_owned(), format!("outcomes of {id}"));
        let kept: Vec<_> = kept.into_iter().map(|one| (one.id, one.conditions, one.outcomes)).collect();
        let wanted: Vec<_> = found.iter().map(|report| told(&report.folder.id)).collect();
        assert_eq!(kept, wanted, "outcomes come and go with the folders");
        let ids = found.into_iter().map(|report| report.folder.id).collect();
        (ids, self.read.take())
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_index_follows_the_folders_and_reads_only_what_has_changed() {
    let fixture = Fixture::new();
    assert_eq!(fixture.list("1"), (vec![], vec![]));
    fixture.write("a_1", "{}");
    fixture.write("나_2", "{}");
    assert_eq!(fixture.list("1"), (words("a_1 나_2"), words("a_1 나_2")));
    assert_eq!(fixture.list("1"), (words("a_1 나_2"), vec![]), "nothing is read again");
    fixture.write("a_1", "{\"longer\": 1}");
    assert_eq!(fixture.list("1"), (words("a_1 나_2"), words("a_1")));
    fs::remove_dir_all(fixture.reports().join("나_2")).expect("removed by hand");
    assert_eq!(fixture.list("1"), (words("a_1"), vec![]));
    assert_eq!(fixture.list("2").1, words("a_1"), "another version makes it again");
    // Of a report that is known from a table alone, the table counts.
    let table = fixture.reports().join("c_3").join(report_files::CSV);
    fs::create_dir_all(fixture.reports().join("c_3")).expect("made");
    for text in ["Level\r\n", "Level,SR\r\n"] {
        fs::write(&table, text).expect("written");
        assert_eq!(fixture.list("2"), (words("a_1 c_3"), words("c_3")));
    }
    assert_eq!(fixture.list("2").1, Vec::<String>::new());
}

#[test]
fn a_deleted_report_comes_back_with_its_remark() {
    let fixture = Fixture::new();
    let places = ["trash", "runs", "reports", "forks"].map(|name| fixture.root.path().join(name));
    let [trash, runs, reports, forks] = places;
    let trash = Trash::new(TrashPlaces { trash, runs, reports, forks }, Some(&fixture.store));
    fixture.write("a_1", "{\"x\": 1}");
    let remark = Remark { tags: words("기준 final"), note: "다시 볼 것".to_owned() };
    fixture.store.set_report_remark("a_1", &remark).expect("kept");
    let deleted = trash.put(TrashKind::Report, "a_1").expect("deleted");
    assert_eq!(fixture.list("1").0, Vec::<String>::new());
    assert_eq!(trash.restore(TrashKind::Report, &deleted.key).expect("back"), "a_1");
    let listed = fixture
        .store
        .reports(&fixture.reports(), "1", &Listed::default(), |_| IndexEntry::default(), |_, _| ())
        .expect("listed");
    assert_eq!(listed[0].remark, remark);
}
