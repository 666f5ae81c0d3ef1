//! What is shipped as scenarios, without running any of `AutoGen`: manifests, Python, scenario files, scripts.

use crate::support::http::Local;
use crate::support::{Koab, Ran, ran};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn shipped() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tasks/scenarios");
    folder.canonicalize().unwrap()
}

fn benchmarks() -> Vec<PathBuf> {
    let index: Value = serde_json::from_slice(&fs::read(shipped().join("MANIFEST.json")).unwrap()).unwrap();
    let names = index["scenarios"].as_object().unwrap().keys();
    names.map(|name| shipped().join(name)).collect()
}

/// Files below a folder, but for what its scripts and runs make.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_file() {
            found.insert(path);
        } else if !["__pycache__", "Downloads", "results", "Results"].contains(&&*name) {
            found.extend(files(&path));
        }
    }
    found
}

fn python(words: &[&str], folder: &Path, more: &[(&str, &str)]) -> Ran {
    let mut command = Command::new("python3");
    command.args(words).current_dir(folder).env("PYTHONDONTWRITEBYTECODE", "1");
    ran(command.envs(more.iter().copied()).output().unwrap())
}

/// A copy of a benchmark as `koab scenario clone` brings it.
fn cloned(koab: &Koab, name: &str) -> PathBuf {
    let folder = koab.path().join(name);
    koab.ok(&["scenario", "clone", name, "--to", folder.to_str().unwrap()]);
    folder.canonicalize().unwrap()
}

#[test]
fn every_file_stands_in_the_manifest_of_its_benchmark() {
    for folder in benchmarks() {
        let manifest: Value =
            serde_json::from_slice(&fs::read(folder.join("MANIFEST.json")).unwrap()).unwrap();
        let named: BTreeSet<PathBuf> = manifest["files"]
            .as_object()
            .unwrap()
            .keys()
            .map(|name| folder.join(name))
            .chain([folder.join("MANIFEST.json")])
            .collect();
        assert_eq!(files(&folder), named, "run tasks/scenarios/manifests.py");
    }
}

#[test]
fn what_several_benchmarks_share_is_one_text() {
    let mut texts = BTreeMap::<String, BTreeSet<Vec<u8>>>::new();
    let mut copies = BTreeMap::<String, u32>::new();
    for path in benchmarks().iter().flat_map(|folder| files(folder)) {
        let parts: Vec<_> = path.iter().map(|part| part.to_str().unwrap()).collect();
        let (name, folder) = (parts[parts.len() - 1], parts[parts.len() - 2]);
        if ["agents.py", "team.py", "verdict.py", "make_tasks.py", "requirements.txt", "ask.py"]
            .contains(&name)
        {
            // The same name for another library is another file.
            let key = if name == "requirements.txt" { format!("{folder}/{name}") } else { name.to_owned() };
            texts.entry(key.clone()).or_default().insert(fs::read(&path).unwrap());
            *copies.entry(key).or_default() += 1;
        }
    }
    for (name, texts) in &texts {
        assert_eq!(texts.len(), 1, "{name} differs between benchmarks");
    }
    let copies: Vec<_> = copies.iter().map(|(name, copies)| (name.as_str(), *copies)).collect();
    assert_eq!(
        copies,
        [
            ("AutoGen02/requirements.txt", 4),
            ("AutoGen04/requirements.txt", 4),
            ("agents.py", 4),
            ("ask.py", 2),
            ("make_tasks.py", 4),
            ("team.py", 4),
            ("verdict.py", 3),
        ]
    );
}

#[test]
fn all_python_is_compiled_without_a_warning_and_requirements_are_pinned() {
    let program =
        "import sys\nfor name in sys.argv[1:]: compile(open(name, encoding='utf-8').read(), name, 'exec')";
    let mut words = vec!["-W", "error", "-c", program];
    let all: Vec<PathBuf> = benchmarks().iter().flat_map(|folder| files(folder)).collect();
    for path in &all {
        let text = fs::read_to_string(path).unwrap();
        if path.extension().is_some_and(|ending| ending == "py") {
            words.push(path.to_str().unwrap());
            let long = text.lines().find(|line| line.chars().count() > 132);
            assert_eq!(long, None, "{}", path.display());
        }
        if path.ends_with("requirements.txt") {
            let loose = text.lines().find(|line| !line.starts_with('#') && !line.contains("=="));
            assert_eq!(loose, None, "{}", path.display());
        }
    }
    assert!(words.len() > 40);
    let compiled = python(&words, &shipped(), &[]);
    assert_eq!(compiled.code, 0, "{}", compiled.stderr);
}

#[test]
fn scenario_files_are_those_that_the_data_makes_for_every_template() {
    let koab = Koab::new();
    for name in ["HumanEval", "GAIA", "MATH", "OfficeFiles"] {
        let folder = cloned(&koab, name);
        let tasks = folder.join("Tasks");
        let there: BTreeSet<PathBuf> = files(&tasks);
        let before: Vec<Vec<u8>> = there.iter().map(|path| fs::read(path).unwrap()).collect();
        let templates = fs::read_dir(folder.join("Templates")).unwrap().count();
        assert_eq!(there.len(), templates, "{name}");
        fs::remove_dir_all(&tasks).unwrap();
        let made = python(&["Scripts/make_tasks.py"], &folder, &[]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        assert_eq!(files(&tasks), there, "{name}");
        let after: Vec<Vec<u8>> = there.iter().map(|path| fs::read(path).unwrap()).collect();
        assert!(before == after, "{name}: run Scripts/make_tasks.py");
    }
}

/// What a run of these files would do.
fn plan(koab: &Koab, folder: &Path) -> Value {
    let plan = koab.json(&["scenario", "run", folder.join("Tasks").to_str().unwrap(), "--dry-run"]);
    assert_eq!(plan["warnings"], json!([]));
    plan
}

#[test]
fn the_full_set_of_humaneval_is_made_for_every_template() {
    let koab = Koab::new();
    let folder = cloned(&koab, "HumanEval");
    let problem = json!({"task_id": "HumanEval/7", "entry_point": "f", "prompt": "def f():\n", "test": "def check(f):\n    f()\n"});
    fs::create_dir(folder.join("Downloads")).unwrap();
    fs::write(folder.join("Downloads/HumanEval.jsonl"), problem.to_string()).unwrap();
    let before = plan(&koab, &folder)["to_run"].as_u64().unwrap();
    let made = python(&["Scripts/init_tasks.py"], &folder, &[]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert!(folder.join("Tasks/human_eval_full_AutoGen04GroupChat.jsonl").is_file());
    assert_eq!(plan(&koab, &folder)["to_run"].as_u64().unwrap(), before + 5);
}

#[test]
fn gaia_is_fetched_with_the_user_s_login_and_its_attachments_are_put_beside_the_code() {
    let koab = Koab::new();
    let folder = cloned(&koab, "GAIA");
    let hub = Local::start(|request| {
        let login = ("authorization".to_owned(), "Bearer canary-of-the-hub".to_owned());
        if !request.headers.contains(&login) {
            return (401, json!(null));
        }
        let path = request.line.split(' ').nth(1).unwrap();
        let name = path.strip_prefix("/datasets/gaia-benchmark/GAIA/resolve/main/2023/").unwrap();
        match name {
            "validation/metadata.jsonl" => (
                200,
                json!({"task_id": "q-1", "Question": "How many?", "Level": 2, "Final answer": "3", "file_name": "a b.csv"}),
            ),
            "test/metadata.jsonl" => (
                200,
                json!({"task_id": "0-0-0-0-0", "Question": "Hello", "Level": 1, "Final answer": "?", "file_name": ""}),
            ),
            "validation/a%20b.csv" => (200, json!("content")),
            _ => (404, json!(null)),
        }
    });
    let home = koab.path().display().to_string();
    let init = |token: &str| {
        let more = [
            ("HF_ENDPOINT", &*hub.address),
            ("HF_HOME", &*home),
            ("HF_TOKEN_PATH", "/nowhere"),
            ("HF_TOKEN", token),
        ];
        python(&["Scripts/init_tasks.py"], &folder, &more)
    };
    for (token, said) in
        [("", "hf auth login"), ("canary-of-another", "does not hand out 2023/validation/metadata.jsonl")]
    {
        let refused = init(token);
        assert_eq!(refused.code, 1, "{}", refused.stderr);
        assert!(refused.stderr.contains(said) && refused.stderr.lines().count() == 1, "{}", refused.stderr);
        assert!(!refused.stderr.contains("canary"), "{}", refused.stderr);
    }
    let before = plan(&koab, &folder)["to_run"].as_u64().unwrap();
    let made = init("canary-of-the-hub");
    assert_eq!(made.code, 0, "{}", made.stderr);
    let tasks =
        fs::read_to_string(folder.join("Tasks/gaia_validation_level_2__AutoGen02TwoAgents.jsonl")).unwrap();
    let task: Value = serde_json::from_str(&tasks).unwrap();
    let attachment = json!(["../Downloads/GAIA/2023/validation/a b.csv", "coding/a b.csv"]);
    assert_eq!(task["template"].as_array().unwrap().last().unwrap(), &attachment);
    assert!(
        !folder.join("Tasks/gaia_test_level_1__AutoGen02TwoAgents.jsonl").exists(),
        "a greeting is no question"
    );
    assert_eq!(plan(&koab, &folder)["to_run"].as_u64().unwrap(), before + 4);
    // What is there is not fetched again.
    let asked = hub.requests().len();
    assert_eq!((init("").code, hub.requests().len()), (0, asked));
}

#[cfg(unix)]
#[test]
fn results_are_where_one_stands_in_a_benchmark_and_else_in_the_workspace() {
    let koab = Koab::new();
    let folder = cloned(&koab, "Sums");
    let tasks = folder.join("Tasks").display().to_string();
    let run = |here: &Path| {
        let words = ["scenario", "run", &*tasks, "--native", "--yes"];
        ran(koab.command(&words).current_dir(here).output().unwrap())
    };
    let said = run(&folder).stdout;
    let results = format!("results: {}", folder.join("results").display());
    assert!(said.contains(&results), "{said}");
    assert!(folder.join("results/sums").is_dir() && !koab.path().join("results").exists());
    // Neither the folder of tasks nor the one around the benchmark is one.
    for here in [&folder.join("Tasks"), koab.path()] {
        assert_eq!(run(here).code, 0);
    }
    assert!(koab.path().join("results/sums").is_dir() && !folder.join("Tasks/results").exists());
    // What the original left there is gone on with.
    fs::rename(folder.join("results"), folder.join("Results")).unwrap();
    let again = run(&folder).stdout;
    assert!(again.contains("finished before  3") && !folder.join("results").exists(), "{again}");
}
