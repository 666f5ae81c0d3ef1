//! Runs and reports of other benchmarks taken elsewhere: in bundles, as folders, into workspaces with and without their pack.
#![allow(clippy::unwrap_used, reason = "these are tests")]

use crate::support::benchmark_packs;
use crate::support::http::{Local, Request, calls, completion, models, says};
use crate::support::{Koab, read_json};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Three items of BFCL in two groups.
fn bfcl(below: &Path) -> PathBuf {
    benchmark_packs::bfcl(below, &[("multiple", 2), ("irrelevance", 1)])
}

/// Two items of `FunctionChat` that a judge decides, one with a history of calls.
fn functionchat(below: &Path) -> PathBuf {
    let call = json!({"id": "random_id", "type": "function", "function": {"name": "now", "arguments": "{}"}});
    let history = json!([
        {"role": "user", "content": "2번: 몇 시야?"},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "random_id", "name": "now", "content": "{\"time\": 9}"},
    ]);
    let question = json!([{"role": "user", "content": "1번 질문"}]);
    let items = [question, history].map(|messages| ("REJECT", "relevance", messages, json!([])));
    benchmark_packs::functionchat(below, &items)
}

/// A model that is right at one of `multiple`, and a judge that passes the first question and fails the second.
fn answer(request: &Request) -> (u16, Value) {
    if request.line.starts_with("GET") {
        return models(&["m", "judge"]);
    }
    let asked = request.body["messages"].to_string();
    let message = match request.body["model"].as_str().unwrap() {
        "judge" if asked.contains("2번") => says("판단 이유\n\nfail\nfail"),
        "judge" => says("판단 이유\n\npass\npass"),
        _ if asked.contains("multiple") => {
            let n = if asked.contains("multiple_0") { 3 } else { 4 };
            calls("math_square", &json!({"n": n}).to_string())
        }
        _ => says("아니요"),
    };
    (200, completion(&message))
}

/// A workspace with a run of a pack and its report.
struct Made {
    koab: Koab,
    folder: tempfile::TempDir,
    pack: PathBuf,
    run: String,
    report: Value,
}

impl Made {
    fn new(name: &str, pack: fn(&Path) -> PathBuf, judged: bool) -> Self {
        let (koab, folder) = (Koab::new(), tempfile::tempdir().unwrap());
        let pack = pack(folder.path());
        koab.ok(&["pack", "import", &pack.display().to_string()]);
        let server = Local::start(answer);
        let run = benchmark_packs::run_of(&koab, name, "m", &server);
        let judge = ["--judge-models", "openai_compat/judge", "--judge-base-url", &server.address];
        let judge: &[&str] = if judged { &judge } else { &["--no-judge"] };
        let report = koab.json(&[&["evaluate", &run], judge].concat())[0].clone();
        Self { koab, folder, pack, run, report }
    }

    fn run_folder(&self) -> PathBuf {
        self.koab.path().join("logs/benchmark_results/by_model").join(&self.run)
    }

    fn report_folder(&self) -> PathBuf {
        let id = self.report["id"].as_str().unwrap();
        self.koab.path().join("reports").join(id)
    }

    fn bundle(&self) -> String {
        let file = self.folder.path().join("run.koab").display().to_string();
        self.koab.ok(&["submit", "bundle", &self.run, "-o", &file]);
        file
    }

    /// Another workspace with the pack.
    fn elsewhere(&self) -> Koab {
        let koab = Koab::new();
        koab.ok(&["pack", "import", &self.pack.display().to_string()]);
        koab
    }

    fn is_the_same_in(&self, koab: &Koab) {
        let id = self.report["id"].as_str().unwrap();
        let there = koab.json(&["report", "show", id]);
        for key in ["levels", "overall", "benchmark", "model", "judges", "pack"] {
            assert_eq!(there[key], self.report[key], "{key}");
        }
        for name in ["evaluation_report.json", "evaluation_summary.csv", "evaluation_report.md"] {
            let text = |folder: &Path| fs::read(folder.join(name)).unwrap();
            let folder = koab.path().join("reports").join(id);
            assert!(text(&folder) == text(&self.report_folder()), "{name}");
        }
    }
}

fn outcomes(imported: &Value) -> Vec<(String, String)> {
    let items = imported["items"].as_array().unwrap().iter();
    let word = |item: &Value, key: &str| item[key].as_str().unwrap_or_default().to_owned();
    items.map(|item| (word(item, "what"), word(item, "outcome"))).collect()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(one, other): &(&str, &str)| ((*one).to_owned(), (*other).to_owned());
    of.iter().map(owned).collect()
}

#[test]
fn a_bundle_holds_its_items_and_comes_out_the_same_elsewhere() {
    let made = Made::new("bfcl", bfcl, false);
    let bundle = made.bundle();
    let alone = Koab::new();
    let found = alone.json(&["submit", "verify", &bundle]);
    assert_eq!(
        (&found["ok"], &found["subject"]["levels"]),
        (&json!(true), &json!({"irrelevance": 1, "multiple": 2})),
        "{found}"
    );
    // Three items and the means of two groups.
    assert_eq!((&found["counts"]["values"], &found["counts"]["tasks"]), (&json!(5), &json!(3)));
    let hash = found["subject"]["pack"]["prompts_sha256"].as_str().unwrap();
    assert_eq!(hash.len(), 64, "{found}");

    let imported = alone.run(&["report", "import", &bundle, "--json"]);
    let imported: Value = serde_json::from_str(&imported.stdout).unwrap();
    assert_eq!(outcomes(&imported), pairs(&[("run", "refused"), ("report", "added")]), "{imported}");
    let why = imported["items"][0]["reason"].to_string();
    assert!(why.contains("which is not installed here; import the pack first"), "{why}");
    made.is_the_same_in(&alone);

    let other = made.elsewhere();
    let imported = other.json(&["report", "import", &bundle]);
    assert_eq!(outcomes(&imported), pairs(&[("run", "added"), ("report", "added")]), "{imported}");
    made.is_the_same_in(&other);
    let again = other.json(&["evaluate", &made.run, "--no-judge"]);
    for key in ["levels", "overall", "benchmark"] {
        assert_eq!(again[0][key], made.report[key], "{key}");
    }
    let twice = other.json(&["report", "import", &bundle]);
    assert_eq!(outcomes(&twice)[0].1, "already_there", "{twice}");

    let refused = made.koab.run(&["submit", "prepare", &made.run]);
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    assert!(
        refused.stderr.contains("the leaderboard takes runs of Ko-AgentBench only"),
        "{}",
        refused.stderr
    );
}

#[test]
fn what_was_changed_is_not_bundled() {
    let made = Made::new("bfcl", bfcl, false);
    let file = made.folder.path().join("changed.koab").display().to_string();
    let refused = || {
        let ran = made.koab.run(&["submit", "bundle", &made.run, "-o", &file]);
        assert_eq!(ran.code, 1, "{}", ran.stdout);
        assert!(!Path::new(&file).exists());
        ran.stderr
    };
    let changed = |path: &Path, from: &str, to: &str| {
        let text = fs::read_to_string(path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(path, text.replacen(from, to, 1)).unwrap();
        text
    };
    // A reply is right that was wrong.
    let log = made.run_folder().join("groups/multiple.json");
    let before = changed(&log, r#"{\"n\":4}"#, r#"{\"n\":3}"#);
    let why = refused();
    assert!(why.contains("run/groups/multiple.json") && why.contains("the journal gives"), "{why}");
    fs::write(&log, before).unwrap();
    // A score.
    let report = made.report_folder().join("evaluation_report.json");
    let before = changed(&report, "\"score\": 0.0", "\"score\": 1.0");
    assert!(refused().contains("computing it again gives"));
    fs::write(&report, before).unwrap();
    // The request that was sent.
    let journal = made.run_folder().join("journal.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replace("Square 3 (multiple_1)", "Square 3 (multiple_9)")).unwrap();
    assert!(!refused().is_empty());
    fs::write(&journal, text).unwrap();
    made.bundle();
}

#[test]
fn judges_words_travel_with_the_report() {
    let made = Made::new("functionchat", functionchat, true);
    assert_eq!(made.report["overall"][0]["value"], 0.5, "{}", made.report);
    let bundle = made.bundle();
    let found = made.koab.json(&["submit", "verify", &bundle]);
    assert_eq!(
        (&found["ok"], &found["counts"]["verdicts"], &found["counts"]["judged"]),
        (&json!(true), &json!(2), &json!(3)),
        "{found}"
    );
    let other = made.elsewhere();
    other.json(&["report", "import", &bundle]);
    made.is_the_same_in(&other);
    let said = |folder: &Path| fs::read(folder.join("verdicts.jsonl")).unwrap();
    let id = made.report["id"].as_str().unwrap();
    let there = other.path().join("reports").join(id);
    assert!(said(&there) == said(&made.report_folder()));

    // The folders themselves, without a bundle.
    let third = made.elsewhere();
    let runs = third.json(&["report", "import", &made.run_folder().display().to_string()]);
    assert_eq!(outcomes(&runs), pairs(&[("run", "added")]), "{runs}");
    let reports = third.json(&["report", "import", &made.report_folder().display().to_string()]);
    assert_eq!(outcomes(&reports), pairs(&[("report", "added")]), "{reports}");
    made.is_the_same_in(&third);
    let there = third.path().join("reports").join(id);
    assert!(said(&there) == said(&made.report_folder()));
    let manifest = third.path().join("logs/benchmark_results/by_model").join(&made.run);
    assert_eq!(read_json(&manifest.join("run.json")), read_json(&made.run_folder().join("run.json")));
}
