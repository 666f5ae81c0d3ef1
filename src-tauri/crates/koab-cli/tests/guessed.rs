//! Words that a newcomer guesses: they work, or the answer has the right ones.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::Koab;
use crate::support::http::{Local, Request, completion, models, says};

/// A workspace with a run of each baseline, scored.
fn workspace() -> Koab {
    let koab = Koab::new();
    for model in ["baseline/golden", "baseline/random"] {
        koab.ok(&["run", "--model", model, "--levels", "L1", "--quiet"]);
        koab.ok(&["score", "last", "--no-judge"]);
    }
    koab
}

#[test]
fn show_finds_out_what_a_name_is() {
    let koab = workspace();
    let reports = koab.json(&["report", "list"]);
    let report = reports[0]["id"].as_str().unwrap();
    let run = koab.json(&["runs", "list"])[0]["id"].as_str().unwrap().to_owned();
    let pack = koab.json(&["pack", "list"])[0]["name"].as_str().unwrap().to_owned();
    for (name, words) in [
        (report, ["report", "show", report]),
        (&run, ["runs", "show", &run]),
        ("last", ["runs", "show", "last"]),
        (&pack, ["pack", "show", &pack]),
    ] {
        assert_eq!(koab.ok(&["show", name]).stdout, koab.ok(&words).stdout, "{name}");
    }
    koab.ok(&["runs", "fork", &run, "L1-001", "--step", "1"]);
    let fork = koab.json(&["runs", "forks"])[0]["id"].as_str().unwrap().to_owned();
    let shown = koab.ok(&["runs", "fork-show", &fork]).stdout;
    assert_eq!(koab.ok(&["show", &fork]).stdout, shown);
    assert_eq!(koab.ok(&["show", &format!("fork:{fork}")]).stdout, shown);
}

#[test]
fn a_beginning_is_enough_to_show_and_never_to_delete() {
    let koab = workspace();
    let whole = koab.ok(&["report", "show", "last"]).stdout;
    for words in [["show", "baseline/rand"], ["show", "baseline_rand"]] {
        assert!(koab.ok(&words).stdout.contains("baseline/random"), "{words:?}");
    }
    assert_eq!(koab.ok(&["report", "show", "baseline_rand"]).stdout, whole);
    koab.ok(&["compare", "baseline_gold", "baseline_rand"]);
    koab.ok(&["runs", "show", "baseline_gold"]);
    // Two reports begin so.
    let several = koab.run(&["show", "baseline"]);
    assert_eq!(several.code, 1);
    for name in ["did you mean", "baseline_golden", "baseline_random"] {
        assert!(several.stderr.contains(name), "{}", several.stderr);
    }
    let refused = koab.run(&["runs", "delete", "baseline_gold", "--yes"]);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert_eq!(koab.json(&["runs", "list"]).as_array().unwrap().len(), 2);
    for (words, name) in [
        (&["show", "golden"][..], "baseline_golden"),
        (&["report", "show", "baseline_rnadom"], "did you mean"),
        (&["report", "show", "random"], "baseline_random"),
        (&["score", "golden", "--no-judge"], "baseline_golden"),
    ] {
        let ran = koab.run(words);
        assert!(ran.code == 1 && ran.stderr.contains("did you mean"), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(name), "{words:?}: {}", ran.stderr);
    }
    let nothing = koab.run(&["show", "nobody-has-this"]);
    assert!(nothing.code == 1 && nothing.stderr.contains("`koab report list`"), "{}", nothing.stderr);
}

#[test]
fn import_and_compare_are_first_words_too() {
    let koab = workspace();
    let ids: Vec<String> = koab
        .json(&["reports", "ls"])
        .as_array()
        .unwrap()
        .iter()
        .map(|report| report["id"].as_str().unwrap().to_owned())
        .collect();
    let words = ["compare", &ids[0], &ids[1]];
    assert_eq!(koab.ok(&words).stdout, koab.ok(&[&["report"][..], &words].concat()).stdout);
    let folder = koab.path().join("reports").join(&ids[0]);
    let other = Koab::new();
    let imported = other.json(&["import", folder.to_str().unwrap()]);
    assert_eq!(imported["items"][0]["outcome"], "added", "{imported}");
    other.ok(&["show", &ids[0]]);
}

#[test]
fn what_is_deleted_comes_back_under_the_same_verb() {
    let koab = workspace();
    let names = |words: &[&str]| -> Vec<String> {
        let rows = koab.json(words);
        let ids = rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned());
        ids.collect()
    };
    for noun in ["runs", "report"] {
        let all = names(&[noun, "list"]);
        let id = all[0].as_str();
        let refused = koab.run(&[noun, "delete", id]);
        assert_eq!(refused.code, 2, "{}", refused.stderr);
        assert!(refused.stderr.contains("to the trash; confirm with --yes"), "{}", refused.stderr);
        let told = koab.ok(&[noun, "rm", id, "--yes"]).stdout;
        assert!(told.contains(&format!("`koab {noun} restore {id}`")), "{told}");
        assert!(!names(&[noun, "list"]).iter().any(|one| one == id));
        assert_eq!(koab.run(&[noun, "delete", id, "--yes"]).code, 1);
        koab.ok(&[noun, "restore", id]);
        assert_eq!(names(&[noun, "list"]), all);
        assert_eq!(koab.run(&[noun, "restore", id]).code, 1);
    }
    let run = &names(&["runs", "list"])[0];
    koab.ok(&["runs", "delete", run, "--for-good", "--yes"]);
    assert_eq!(koab.run(&["runs", "restore", run]).code, 1);
    // The last deletion of a report counts.
    let report = names(&["report", "list"]).remove(0);
    let tags = |id: &str| koab.path().join("reports").join(id).join("which");
    for which in ["first", "second"] {
        std::fs::write(tags(&report), which).unwrap();
        koab.ok(&["report", "delete", &report, "--yes"]);
        if which == "first" {
            let deleted = koab.path().join("trash/reports");
            let folder = std::fs::read_dir(&deleted).unwrap().flatten().next().unwrap().path();
            crate::support::copy(&folder, &koab.path().join("reports").join(&report));
        }
    }
    koab.ok(&["report", "restore", &report]);
    assert_eq!(std::fs::read_to_string(tags(&report)).unwrap(), "second");
}

#[test]
fn a_pack_is_deleted_by_its_name() {
    let koab = Koab::new();
    let name = koab.json(&["pack", "list"])[0]["name"].as_str().unwrap().to_owned();
    assert_eq!(koab.run(&["pack", "delete", &name]).code, 2);
    koab.ok(&["packs", "delete", &name, "--yes"]);
    assert_eq!(koab.json(&["pack", "ls"]).as_array().unwrap().len(), 0);
    assert_eq!(koab.run(&["pack", "delete", &name, "--yes"]).code, 1);
    assert_eq!(koab.json(&["trash", "list"])["items"][0]["id"], name);
    koab.ok(&["trash", "restore", &name]);
    assert_eq!(koab.json(&["pack", "list"])[0]["active"], true, "it is the active one again");
}

#[test]
fn the_trash_is_listed_restored_from_and_emptied() {
    let koab = workspace();
    assert!(koab.ok(&["trash", "list"]).stdout.contains("The trash is empty."));
    let run = koab.json(&["runs", "list"])[0]["id"].as_str().unwrap().to_owned();
    let report = koab.json(&["report", "list"])[0]["id"].as_str().unwrap().to_owned();
    koab.ok(&["runs", "delete", &run, "--yes"]);
    koab.ok(&["report", "delete", &report, "--yes"]);
    let listed = koab.json(&["trash", "ls"]);
    let items = listed["items"].as_array().unwrap();
    let told: std::collections::BTreeSet<(&str, &str)> =
        items.iter().map(|item| (item["kind"].as_str().unwrap(), item["id"].as_str().unwrap())).collect();
    assert_eq!(told, [("report", report.as_str()), ("run", run.as_str())].into());
    assert!(items.iter().all(|item| item["bytes"].as_u64().unwrap() > 0 && item["model"].is_string()));
    let text = koab.ok(&["trash", "list"]).stdout;
    assert!(text.contains(&run) && text.contains("stays for 30 days"), "{text}");
    koab.ok(&["trash", "restore", &run]);
    assert_eq!(koab.run(&["trash", "restore", &run]).code, 1, "it is back already");
    assert_eq!(koab.run(&["trash", "delete", &report, "--kind", "run", "--yes"]).code, 1);
    let refused = koab.run(&["trash", "delete", &report]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    koab.ok(&["trash", "delete", &report, "--yes"]);
    koab.ok(&["runs", "delete", &run, "--yes"]);
    assert_eq!(koab.run(&["trash", "empty"]).code, 2);
    koab.ok(&["trash", "empty", "--yes"]);
    assert_eq!(koab.run(&["runs", "restore", &run]).code, 1);
}

#[test]
fn a_model_is_named_as_tables_show_it() {
    let koab = Koab::new();
    let answer = |request: &Request| match request.line.starts_with("GET") {
        true => models(&["m"]),
        false => (200, completion(&says("답"))),
    };
    let (first, second) = (Local::start(answer), Local::start(answer));
    let run = ["run", "--model", "openai_compat/m", "--tasks", "L1-001"];
    let refused = koab.run(&run);
    assert!(refused.stderr.contains("openai_compat has no address of its own"), "{}", refused.stderr);
    let address = format!("{}/v1", first.address);
    koab.ok(&[&run[..], &["--base-url", &address]].concat());
    let named = koab.json(&["runs", "list"])[0]["model"].as_str().unwrap().to_owned();
    assert_eq!(named, "openai_compat/m");
    let ran = koab.ok(&run);
    let told = format!("address of the earlier runs of openai_compat/m: {address}");
    assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    // Two servers have a model of this name, so it is not known which is meant.
    koab.ok(&[&run[..], &["--base-url", &format!("{}/v1", second.address)]].concat());
    assert_eq!(koab.run(&run).code, 2);
}
