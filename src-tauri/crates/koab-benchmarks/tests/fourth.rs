//! A benchmark is added by one folder, here a file, and one row of a list: everything that is asked of a benchmark is asked of a
//! fourth one, of three tasks, and nothing else in the product knows any by name.

#![allow(clippy::unwrap_used, reason = "this is all tests")]

mod names;
mod proverbs;

use koab_benchmarks::table::Rules::Published;
use koab_benchmarks::{ALL, Answer, Benchmark, Call, Files, GroupSizes, PackFiles, find_in, owners_in};
use koab_core::say;
use koab_core::sentence::Sentence;
use proverbs::Proverbs;

/// Files by path.
struct Memory(Vec<(String, String)>);

impl Files for Memory {
    fn paths(&self) -> Vec<String> {
        self.0.iter().map(|(path, _)| path.clone()).collect()
    }
    fn read(&self, path: &str) -> Result<Vec<u8>, Sentence> {
        let file = self.0.iter().find(|(known, _)| known == path);
        file.map(|(_, text)| text.clone().into_bytes()).ok_or_else(|| say!("{path} is missing"))
    }
}

/// Everything, and the row of the fourth.
fn all() -> Vec<&'static dyn Benchmark> {
    ALL.into_iter().chain([&Proverbs as &dyn Benchmark]).collect()
}

/// Whose files these are.
fn owner_of(all: &[&'static dyn Benchmark], files: &Memory) -> (&'static dyn Benchmark, PackFiles) {
    let mut owners = owners_in(all, files);
    assert_eq!(owners.len(), 1);
    owners.remove(0)
}

fn checkout() -> Memory {
    let text = "common\t가는 말이 고와야\t오는 말이 곱다\ncommon\t등잔 밑이\t어둡다\nrare\t곤자소니에\t발기름이 끼었다";
    Memory(vec![
        ("proverbs-1.0/README.md".to_owned(), String::new()),
        ("proverbs-1.0/proverbs.tsv".to_owned(), text.to_owned()),
    ])
}

#[test]
fn a_fourth_benchmark_is_read_asked_scored_and_tabled() {
    let all = all();
    let files = checkout();
    let (owner, found) = owner_of(&all, &files);
    assert_eq!(find_in(&all, owner.name()).unwrap().title(), "Three Proverbs");
    assert!(owners_in(&ALL, &files).is_empty());

    let packed = found.into_iter().map(|(to, from)| {
        let bytes = files.read(&from).unwrap();
        (to, String::from_utf8(bytes).unwrap())
    });
    let pack = Memory(packed.collect());
    // A pack is known by its own files, too.
    assert_eq!(owner_of(&all, &pack).0.name(), "proverbs");

    let items = owner.items(&pack).unwrap();
    assert_eq!(items.len(), 3);
    assert_eq!(items[2].groups, ["rare"]);
    let hashes: std::collections::BTreeSet<_> = items.iter().map(|item| item.request.sha256()).collect();
    assert_eq!(hashes.len(), 3);

    let saying = |text: &str| Answer { content: Some(text.to_owned()), tool_calls: None };
    let call = Call { name: "look_up".to_owned(), arguments: "{}".to_owned() };
    let answers =
        [saying("오는 말이 곱다"), saying("밝다"), Answer { content: None, tool_calls: Some(vec![call]) }];
    let mut scored = Vec::new();
    for (item, answer) in items.iter().zip(&answers) {
        let rows = match owner.question(item, answer, Published) {
            Some(question) => {
                assert_eq!(question, "Does 밝다 finish \"등잔 밑이\"?");
                owner.judged(item, answer, &vec!["no".to_owned(); owner.votes(Published)], Published)
            }
            None => owner.score(item, answer, Published),
        };
        scored.push(rows);
    }
    let shown = serde_json::to_string(&scored[2][0].verdict).unwrap();
    assert_eq!(shown, r#"{"said":"","calls":1}"#);
    let rows: Vec<_> = items.iter().zip(scored.iter().map(Vec::as_slice)).collect();
    let tables = owner.tables(&rows, &GroupSizes::count(&items), Published);
    assert_eq!(tables[0].printed.as_deref(), Some("2 of 3"));
    assert_eq!(owner.cell_text("finished", 2.0), "2.0");
    assert!(owner.differences().is_empty());
}

#[test]
fn its_faults_are_said_as_those_of_the_others() {
    let broken = Memory(vec![("tasks/proverbs.tsv".to_owned(), "common\t등잔 밑이".to_owned())]);
    let (owner, _) = owner_of(&all(), &broken);
    assert_eq!(
        owner.items(&broken).unwrap_err().to_string(),
        "tasks/proverbs.tsv line 1: three fields are wanted"
    );
}

#[test]
fn every_benchmark_has_a_name_and_files_of_its_own() {
    let all = all();
    let mut names: Vec<_> = all.iter().map(|benchmark| benchmark.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all.len());
    for benchmark in all {
        let packs_folder = benchmark.name();
        assert!(
            packs_folder.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'),
            "{packs_folder}"
        );
        assert!(!benchmark.title().is_empty() && !benchmark.source().is_empty());
    }
}
