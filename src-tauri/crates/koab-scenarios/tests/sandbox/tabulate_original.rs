//! Our copy of the original's tables, compared with everything it was recorded to print.

use crate::sandbox::support::{put, reference, tree};
use koab_scenarios::tabulate::Scorer;
use koab_scenarios::tabulate::original::{Generation, tabulate};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A command and what it printed, in a recorded session.
struct Printed {
    generation: Generation,
    csv: bool,
    folder: String,
    text: String,
}

/// The tables in a transcript, which has the output of both channels: the first and the last lines went to the other.
fn printed(transcript: &str) -> Vec<Printed> {
    let mut found = Vec::new();
    for block in transcript.split("\n$ ").skip(1) {
        let (command, output) = block.split_once('\n').expect("a command");
        let words: Vec<&str> = command.split_whitespace().collect();
        let Some((_, text)) = output.split_once("Using default tabulation method.\n\n") else {
            continue;
        };
        let Some((text, _)) = text.split_once("\nCAUTION:") else {
            continue;
        };
        found.push(Printed {
            generation: generation(words[0]),
            csv: words.iter().any(|word| word.starts_with('-')),
            folder: words.last().expect("a folder").to_string(),
            text: text.to_owned(),
        });
    }
    found
}

fn generation(program: &str) -> Generation {
    match program {
        "autogenbench" => Generation::Second,
        _ => Generation::Third,
    }
}

/// A copy of recorded results, whose task folders were changed in the order of `ids`.
fn copied(recorded: &Path, ids: &[&str]) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    for (name, bytes) in tree(recorded) {
        put(copy.path(), &name, bytes);
    }
    // A record that has no file is not there: git keeps no empty folder.
    changed(copy.path(), ids);
    copy
}

fn changed(folder: &Path, names: &[&str]) {
    for (at, name) in names.iter().enumerate() {
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + at as u64);
        let folder = fs::File::open(folder.join(name)).expect("there");
        folder.set_modified(at).expect("set");
    }
}

/// The ids of a table's rows, in their order.
fn ids<'a>(text: &'a str, known: &[String]) -> Vec<&'a str> {
    text.lines()
        .filter_map(|line| {
            let mut words =
                line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
            words.find(|word| known.iter().any(|id| id == word))
        })
        .collect()
}

fn tasks(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("readable");
    entries.map(|entry| entry.expect("one").file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn each_generations_results_give_the_recorded_tables_of_both() {
    let Some(recorded) = reference("recorded") else {
        return;
    };
    let transcript = fs::read_to_string(recorded.join("transcripts/tabulate-cross.txt")).expect("read");
    let tables = printed(&transcript);
    assert_eq!(tables.len(), 24);
    for table in tables {
        let folder = recorded.join(&table.folder);
        let order = ids(&table.text, &tasks(&folder));
        let copy = copied(&folder, &order);
        if table.folder.starts_with("head-docker") {
            // The record holds a second trial that was cut off before it had a log.
            assert!(copy.path().join("file_tmpl/1").is_dir());
        }
        let ours = tabulate(copy.path(), table.generation, Scorer::Markers, table.csv).expect("tabulated");
        assert_eq!(ours, table.text, "{:?} of {}", table.generation, table.folder);
    }
}

#[test]
fn uneven_trials_and_gaps_give_the_recorded_tables() {
    let Some(recorded) = reference("recorded") else {
        return;
    };
    let transcript = fs::read_to_string(recorded.join("transcripts/tabulate-mixed.txt")).expect("read");
    let tables = printed(&transcript);
    assert_eq!(tables.len(), 7);
    for table in tables {
        let copy = if table.folder.contains("/gap/") {
            let log = "RUN.SH STARTING !#!#\nALL TESTS PASSED !#!#\nSCENARIO.PY COMPLETE !#!#\nRUN.SH COMPLETE !#!#\n";
            let copy = tempfile::tempdir().expect("a folder");
            put(copy.path(), "T/0/console_log.txt", log);
            put(copy.path(), "T/2/console_log.txt", log);
            changed(&copy.path().join("T"), &["2", "0"]);
            copy
        } else {
            let folder = recorded.join(&table.folder);
            copied(&folder, &ids(&table.text, &tasks(&folder)))
        };
        let ours = tabulate(copy.path(), table.generation, Scorer::Markers, table.csv).expect("tabulated");
        assert_eq!(ours, table.text, "{:?}, csv {}", table.generation, table.csv);
    }
}

#[test]
fn gaias_answers_are_judged_as_recorded() {
    let Some(recorded) = reference("recorded") else {
        return;
    };
    let transcript = fs::read_to_string(recorded.join("transcripts/gaia-scorers.txt")).expect("read");
    let folder = recorded.join("tabulate/gaia/g");
    let known = tasks(&folder);
    assert_eq!(known.len(), 26);
    let (_, tables) = transcript.split_once("## HEAD").expect("the first table");
    let (third, second) = tables.split_once("## 0.2 branch").expect("the second table");
    let third = &third[third.find("    Task Id").expect("a table")..];
    let (_, second) = second.split_once('\n').expect("a table");
    for (generation, text) in [(Generation::Third, third), (Generation::Second, second)] {
        let copy = copied(&folder, &ids(text, &known));
        let ours = tabulate(copy.path(), generation, Scorer::Gaia, false).expect("tabulated");
        assert_eq!(ours.trim_end(), text.trim_end(), "{generation:?}");
    }
}

#[test]
fn where_the_original_fails_there_is_a_sentence_or_its_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let error =
        tabulate(folder.path(), Generation::Third, Scorer::Markers, false).expect_err("nothing there");
    assert!(
        error.to_string().ends_with("has no task, and the original tool fails on such a folder"),
        "{error}"
    );
    let empty = tabulate(folder.path(), Generation::Second, Scorer::Markers, false).expect("a table");
    assert_eq!(empty, "\nTask Id\n---------\n---------\nSuccesses\nFailures\nMissing\nTotal\n");

    put(folder.path(), "T/0/console_log.txt", b"\xff ALL TESTS PASSED !#!#\n");
    put(folder.path(), "T/0/notes/1/x", "");
    fs::create_dir(folder.path().join("emptytask")).expect("made");
    changed(folder.path(), &["emptytask", "T"]);
    let error =
        tabulate(folder.path(), Generation::Third, Scorer::Markers, false).expect_err("it would fail");
    assert!(error.to_string().contains("emptytask: has no trial"), "{error}");
    let table = tabulate(folder.path(), Generation::Second, Scorer::Markers, false).expect("a table");
    insta::assert_snapshot!(table, @r"
                 Trial 0
    Task Id      Success
    ---------  ---------
    emptytask
    T               True
    ---------  ---------
    Successes          1
    Failures           0
    Missing            1
    Total              2
    ");
}
