//! A sweep from its file to its table, against a scripted model: killed twice it is the same table.

mod support;

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use support::Koab;
use support::http::{Local, chat, models};

/// `warm` answers well at a temperature of 0.7 and badly else, `cold` badly; a judge finds good answers right. Counts what models
/// are asked.
fn server() -> (Local, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let server = Local::start(move |request| {
        if !request.line.starts_with("POST") {
            return models(&["warm", "cold", "judge"]);
        }
        let said = request.body["messages"].to_string();
        let is_warm = request.body["model"] == "warm" && request.body["temperature"] == 0.7;
        let reply = match request.body["model"].as_str() {
            Some("judge") => {
                chat(&json!({ "reason": "r", "success": said.contains("좋은 답변") }).to_string())
            }
            _ => {
                count.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(5));
                chat(if is_warm {
                    "좋은 답변입니다."
                } else {
                    "모르겠습니다."
                })
            }
        };
        (200, reply)
    });
    (server, asked)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// A folder's files without what belongs to scenarios.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_file() {
            fs::copy(&path, to.join(name)).expect("copied");
        } else if name != "scenarios" {
            copy(&path, &to.join(name));
        }
    }
}

/// A workspace with two packs and a file of 2 models × 3 temperatures × 2 packs.
fn prepared(url: &str) -> (Koab, PathBuf) {
    let koab = Koab::new();
    let folder = koab.path().join("second");
    copy(&root().join("tasks"), &folder.join("tasks"));
    copy(&root().join("cache"), &folder.join("cache"));
    let manifest = folder.join("tasks/pack.json");
    let mut text: Value = support::read_json(&manifest);
    text["name"] = "second".into();
    fs::write(&manifest, text.to_string()).expect("written");
    koab.ok(&["pack", "import", folder.to_str().expect("UTF-8")]);
    let file = koab.path().join("sweep.toml");
    let text = format!(
        r#"name = "temperatures"
packs = ["starter", "second"]
levels = ["L1", "L2", "L3"]
repetitions = 2
concurrency = 2
[[models]]
id = "openai_compat/warm"
base_url = "{url}"
[[models]]
id = "openai_compat/cold"
base_url = "{url}"
[settings]
temperature = [0.0, 0.7, 1.0]
[judges]
models = ["openai_compat/judge"]
base_url = "{url}"
[baseline]
model = "openai_compat/cold"
temperature = 0.7
"#
    );
    fs::write(&file, text).expect("written");
    (koab, file)
}

#[test]
fn a_sweep_that_is_killed_twice_is_the_same_table_and_asks_nothing_twice() {
    let (server, asked) = server();
    let url = format!("{}/v1", server.address);
    let (calm, file) = prepared(&url);
    let word = file.to_str().expect("UTF-8");
    let plan = calm.json(&["sweep", word, "--dry-run"]);
    assert_eq!(plan["runs"].as_array().map(Vec::len), Some(12), "{plan}");
    let attempts = plan["attempts"].as_u64().expect("a number");
    assert!(
        plan["refusal"].is_null() && plan["runs"][0]["state"] == "new",
        "{plan}"
    );
    assert_eq!(asked.load(Ordering::SeqCst), 0, "a plan asks nobody");
    let page = calm.path().join("sweep.md");
    let page_word = page.to_str().expect("UTF-8");
    let whole = calm.json(&["sweep", word, "--markdown", page_word]);
    let calls = asked.load(Ordering::SeqCst);
    assert_eq!(calls as u64, attempts);
    assert_eq!((&whole["done"], &whole["tests"]), (&json!(12), &json!(10)));
    let warm = &whole["cells"][1]["results"][0];
    assert_eq!(
        (&warm["mean"], &warm["difference"]["verdict"]),
        (&json!(1.0), &json!("better"))
    );
    let cold = &whole["cells"][3]["results"][1];
    assert_eq!(
        (&cold["mean"], &cold["difference"]["verdict"]),
        (&json!(0.0), &json!("not_separated"))
    );
    assert!(
        whole["cells"][4]["results"][0]["difference"].is_null(),
        "the baseline itself"
    );

    // Again: nothing is asked, and the table is the same.
    let again = calm.json(&["sweep", word, "--markdown", page_word]);
    assert_eq!(asked.load(Ordering::SeqCst), calls);
    assert_eq!(again["cells"], whole["cells"]);
    let done = calm.json(&["sweep", word, "--dry-run"]);
    assert_eq!((&done["attempts"], &done["calls"]), (&json!(0), &json!(0.0)));
    assert!(done["spent"].is_null(), "its models have no price: {done}");
    // One judge more: no attempt is made, and all of them are judged.
    let sound = fs::read_to_string(&file).expect("the file");
    let judges = "[\"openai_compat/judge\", \"openai_compat/warm\"]";
    fs::write(&file, sound.replace("[\"openai_compat/judge\"]", judges)).expect("written");
    let plan = calm.json(&["sweep", word, "--dry-run"]);
    assert!(
        plan["attempts"] == 0 && plan["calls"].as_f64() > Some(0.0),
        "{plan}"
    );
    fs::write(&file, sound).expect("written");

    let (rough, file) = prepared(&url);
    let word = file.to_str().expect("UTF-8");
    for stop in [attempts / 5, attempts / 2] {
        let before = asked.load(Ordering::SeqCst) as u64 - calls as u64;
        let words = ["sweep", word, "--quiet", "--json"];
        let mut child = rough
            .command(&words)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("koab starts");
        let begun = Instant::now();
        while (asked.load(Ordering::SeqCst) as u64) < calls as u64 + stop.max(before + 1) {
            assert!(begun.elapsed() < Duration::from_secs(120), "it makes attempts");
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
    }
    let plan = rough.json(&["sweep", word, "--dry-run"]);
    let states: Vec<&str> = plan["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .filter_map(|run| run["state"].as_str())
        .collect();
    assert!(states.contains(&"made") && states.contains(&"new"), "{states:?}");
    let page_of_rough = rough.path().join("sweep.md");
    rough.json(&[
        "sweep",
        word,
        "--markdown",
        page_of_rough.to_str().expect("UTF-8"),
    ]);
    let read = |path| fs::read_to_string(path).expect("a page");
    assert_eq!(read(&page_of_rough), read(&page));
    // What was under way when it was killed is made again, and no more.
    let more = asked.load(Ordering::SeqCst) - 2 * calls;
    assert!(more <= 8, "{more} more than {calls}");
    let runs = rough.json(&["runs", "list"]);
    assert_eq!(runs.as_array().map(Vec::len), Some(12), "{runs}");
}

#[test]
fn what_makes_no_sense_is_refused_in_one_sentence_before_anything_is_made() {
    let (server, asked) = server();
    let (koab, file) = prepared(&format!("{}/v1", server.address));
    let sound = fs::read_to_string(&file).expect("the file");
    let temperatures = "temperature = [0.0, 0.7, 1.0]";
    let elsewhere = koab.path().join("second/tasks/pack.json");
    let elsewhere = format!("system_prompt = ['{}']", elsewhere.display());
    for (name, text) in [("one.txt", "짧게 답하세요."), ("two.txt", "짧게 답하세요.\n")] {
        fs::write(koab.path().join(name), text).expect("written");
    }
    let link = koab.path().join("link.txt");
    #[cfg(unix)]
    std::os::unix::fs::symlink(koab.path().join("second/tasks/pack.json"), link).expect("a link");
    #[cfg(not(unix))]
    let _ = link;
    for (from, to, expected) in [
        (
            temperatures,
            "system_prompt = [\"one.txt\", \"none\", \"two.txt\"]",
            "one.txt and two.txt say the same",
        ),
        (temperatures, elsewhere.as_str(), "does not lie beside"),
        (
            temperatures,
            "system_prompt = [\"second/tasks/pack.json\"]",
            "does not lie beside",
        ),
        (temperatures, "tool_texts = [\"..\"]", "does not lie beside"),
        (
            temperatures,
            "system_prompt = [\"link.txt\"]",
            if cfg!(unix) {
                "link.txt does not lie beside"
            } else {
                "cannot be read"
            },
        ),
        ("openai_compat/cold", "nosuch/cold", "nosuch"),
        ("\"second\"", "\"third\"", "third"),
        ("[0.0, 0.7, 1.0]", "[]", "temperature of"),
        ("[0.0, 0.7, 1.0]", "[0.7, 0.7]", "has 0.7 twice"),
        ("[0.0, 0.7, 1.0]", "[0.7, 3.0]", "from 0 to 2"),
        (
            "temperature = 0.7\n",
            "temperature = 0.5\n",
            "temperature 0.5 is not among the values",
        ),
        ("temperature = 0.7\n", "", "does not say which temperature"),
        ("repetitions", "repetition", "line 4: "),
        ("\"L2\"", "\"L9\"", "L9"),
        (
            "models = [\"openai_compat/judge\"]",
            "",
            "name a judge under [judges]",
        ),
        ("name = ", "metric = \"x\"\nname = ", "names the metric x"),
        (
            "name = ",
            "metric = \"FallbackSR\"\nname = ",
            "no chosen task of pack",
        ),
        (
            "name = ",
            "max_cost = 1.0\nname = ",
            "the price of openai_compat/warm is not known",
        ),
    ] {
        assert!(sound.contains(from), "{from}");
        fs::write(&file, sound.replace(from, to)).expect("written");
        let ran = koab.run(&["sweep", file.to_str().expect("UTF-8")]);
        let (code, said) = (ran.code, format!("{}{}", ran.stdout, ran.stderr));
        assert!(code != 0 && said.contains(expected), "{to}: {code} {said}");
        assert_eq!(said.trim().lines().count(), 1, "{said}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    assert_eq!(koab.json(&["runs", "list"]), json!([]));

    // A price that is known, and a cap below what it would cost.
    let prices = json!({ "as_of": "2026-01-01", "models": {
        "openai_compat/*": { "input": 1000.0, "output": 1000.0 },
    } });
    fs::write(koab.path().join("prices.json"), prices.to_string()).expect("written");
    fs::write(&file, sound.replace("name = ", "max_cost = 0.01\nname = ")).expect("written");
    let word = file.to_str().expect("UTF-8");
    let plan = koab.json(&["sweep", word, "--dry-run"]);
    assert!(
        plan["usd"].as_f64() > Some(0.01) && plan["refusal"].is_string(),
        "{plan}"
    );
    let ran = koab.run(&["sweep", word]);
    assert!(
        ran.code == 2 && ran.stderr.contains("may cost $0.01"),
        "{} {}",
        ran.code,
        ran.stderr
    );
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    assert_eq!(koab.json(&["runs", "list"]), json!([]));
}

#[test]
fn system_prompts_and_tool_texts_reach_the_model_and_stand_in_run_json_by_hash() {
    let (server, _) = server();
    let (koab, file) = prepared(&format!("{}/v1", server.address));
    let sound = fs::read_to_string(&file).expect("the file");
    let told = "짧게 답하세요.";
    fs::write(koab.path().join("short.txt"), told).expect("written");
    let (name, texts) = (
        "StockTrades_ls",
        "StockTrades_ls = \"OWN TOOL TEXT\"\n\"StockTrades_ls.shcode\" = \"OWN ARGUMENT TEXT\"\n",
    );
    fs::write(koab.path().join("tools.toml"), texts).expect("written");
    let swept = sound
        .replace("[\"L1\", \"L2\", \"L3\"]", "[\"L2\", \"L6\"]")
        .replace("[\"starter\", \"second\"]", "[\"starter\"]")
        .replace("repetitions = 2", "repetitions = 1")
        .replace(
            "temperature = [0.0, 0.7, 1.0]",
            "system_prompt = [\"none\", \"short.txt\"]\ntool_texts = [\"none\", \"tools.toml\"]",
        )
        .replace(
            "temperature = 0.7\n",
            "system_prompt = \"none\"\ntool_texts = \"none\"\n",
        );
    fs::write(&file, &swept).expect("written");
    let word = file.to_str().expect("UTF-8");
    let table = koab.json(&["sweep", word]);
    let cells = table["cells"].as_array().expect("cells");
    assert_eq!(
        (cells.len(), &table["baseline"]),
        (8, &json!("openai_compat/cold system_prompt=none tool_texts=none"))
    );
    assert!(
        table["notes"][0].to_string().contains("not comparable"),
        "{table}"
    );
    let both = &cells[3];
    assert_eq!(
        (&both["system_prompt"], &both["tool_texts"]),
        (&json!("short.txt"), &json!("tools.toml"))
    );
    let run = both["results"][0]["run"].as_str().expect("a run");
    let shown = koab.json(&["runs", "show", run]);
    assert_eq!(
        shown["comparability"]["leaderboard"]["grade"], "not_comparable",
        "{shown}"
    );
    let folder = koab.path().join("logs/benchmark_results/by_model").join(run);
    let spec = &support::read_json(&folder.join("run.json"))["spec"];
    let prompt = &spec["texts"]["system_prompt"];
    assert_eq!(
        (&prompt["file"], &prompt["text"]),
        (&json!("short.txt"), &json!(told))
    );
    assert_eq!(prompt["sha256"].as_str().map(str::len), Some(64));
    assert_eq!(spec["texts"]["tools"]["text"][name], "OWN TOOL TEXT");
    let plain = cells[0]["results"][0]["run"].as_str().expect("a run");
    let plain = koab.path().join("logs/benchmark_results/by_model").join(plain);
    assert!(
        support::read_json(&plain.join("run.json"))["spec"]
            .get("texts")
            .is_none()
    );

    // Half of all requests have the prompt in front, of conversations with a history as well, and the rest have none.
    let requests = server.requests();
    let of_models = requests
        .iter()
        .filter(|of| of.line.starts_with("POST") && of.body["model"] != "judge");
    let first: Vec<&Value> = of_models.map(|of| &of.body["messages"][0]).collect();
    let told: Vec<_> = first.iter().filter(|of| of["role"] == "system").collect();
    assert!(told.len() * 2 == first.len() && told.iter().all(|of| of["content"] == "짧게 답하세요."));
    let all = requests
        .iter()
        .map(|of| of.body["tools"].to_string())
        .collect::<String>();
    assert!(all.contains("OWN TOOL TEXT") && all.contains("OWN ARGUMENT TEXT"));

    // A changed file is another cell; a name that the pack does not have is refused.
    fs::write(koab.path().join("short.txt"), "다른 말.").expect("written");
    let plan = koab.json(&["sweep", word, "--dry-run"]);
    let new = plan["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .filter(|run| run["state"] == "new")
        .count();
    assert_eq!(new, 4, "{plan}");
    fs::write(koab.path().join("tools.toml"), "Nothing = \"x\"").expect("written");
    let ran = koab.run(&["sweep", word]);
    assert!(
        ran.code != 0 && ran.stderr.contains("tools.toml describes Nothing"),
        "{}",
        ran.stderr
    );
}

/// Two runs of one attempt a task in L1, without judges.
fn small(sound: &str) -> String {
    let judges = sound.find("[judges]").expect("judges");
    let baseline = sound.find("[baseline]").expect("a baseline");
    format!("{}{}", &sound[..judges], &sound[baseline..])
        .replace("name = ", "metric = \"CallEM\"\nname = ")
        .replace("[\"L1\", \"L2\", \"L3\"]", "[\"L1\"]")
        .replace("[\"starter\", \"second\"]", "[\"second\"]")
        .replace("repetitions = 2", "repetitions = 1")
        .replace("concurrency = 2", "concurrency = 1")
        .replace("[0.0, 0.7, 1.0]", "[0.7]")
}

fn swept(koab: &Koab, word: &str) -> (i32, Value) {
    let ran = koab.run(&["sweep", word, "--json"]);
    let table = serde_json::from_str(&ran.stdout);
    (
        ran.code,
        table.unwrap_or_else(|error| panic!("{error}: {} {}", ran.stdout, ran.stderr)),
    )
}

fn states(koab: &Koab, word: &str) -> Vec<String> {
    let plan = koab.json(&["sweep", word, "--dry-run"]);
    let runs = plan["runs"].as_array().expect("runs");
    runs.iter()
        .filter_map(|run| run["state"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn what_is_made_stays_in_the_table_and_counts_for_its_own_pack_and_server_only() {
    let (server, _) = server();
    let url = format!("{}/v1", server.address);
    let (koab, file) = prepared(&url);
    let sound = small(&fs::read_to_string(&file).expect("the file"));
    fs::write(&file, &sound).expect("written");
    let word = file.to_str().expect("UTF-8");
    let (code, table) = swept(&koab, word);
    assert_eq!((code, &table["done"]), (0, &json!(2)), "{table}");
    assert_eq!(states(&koab, word), ["made", "made"]);

    // A temperature in front, and nothing left of the budget.
    let more = sound.replace("[0.7]", "[0.1, 0.7]");
    fs::write(&file, more.replace("name = ", "max_total_tokens = 1\nname = ")).expect("written");
    let (code, stopped) = swept(&koab, word);
    assert!(code != 0 && stopped["stopped"].is_string(), "{stopped}");
    assert_eq!((&stopped["done"], &stopped["runs"]), (&json!(2), &json!(4)));
    let of = |cell: usize| &stopped["cells"][cell]["results"][0];
    assert!(of(0).is_null() && of(1)["difference"].is_object(), "{stopped}");

    // What is made had no price, so that no cap can be kept with it.
    let prices = json!({ "as_of": "2026-01-01", "models": {
        "openai_compat/*": { "input": 1.0, "output": 1.0 },
    } });
    fs::write(koab.path().join("prices.json"), prices.to_string()).expect("written");
    fs::write(&file, more.replace("name = ", "max_cost = 9.0\nname = ")).expect("written");
    let plan = koab.json(&["sweep", word, "--dry-run"]);
    let refusal = plan["refusal"].to_string();
    assert!(
        plan["spent"].is_null() && refusal.contains("cost is not known"),
        "{plan}"
    );
    assert_eq!(koab.run(&["sweep", word]).code, 2);

    // Another server by another address, and another pack under its name, are runs of their own.
    fs::write(&file, sound.replacen(&url, &url.replace("/v1", "/v2"), 1)).expect("written");
    assert_eq!(states(&koab, word), ["new", "made"]);
    fs::write(&file, &sound).expect("written");
    let folder = koab.path().join("second");
    let tasks = folder.join("tasks/L1.json");
    let text = fs::read_to_string(&tasks).expect("tasks");
    let id = text.find("\"instruction\": \"").expect("an instruction") + 16;
    let changed = format!("{}가 {}", &text[..id], &text[id..]);
    fs::write(&tasks, changed).expect("written");
    koab.ok(&["pack", "import", folder.to_str().expect("UTF-8")]);
    assert_eq!(states(&koab, word), ["new", "new"]);
}

#[test]
fn a_failed_run_and_failed_attempts_are_told_beside_the_rest() {
    let asked = Arc::new(AtomicUsize::new(0));
    let server = Local::start(move |request| {
        if !request.line.starts_with("POST") {
            let models = json!([{ "id": "warm" }, { "id": "cold" }]);
            return (200, json!({ "object": "list", "data": models }));
        }
        let refused = json!({ "error": { "message": "no", "type": "invalid_request_error" } });
        match request.body["model"].as_str() {
            Some("warm") => (401, refused),
            _ if asked.fetch_add(1, Ordering::SeqCst) % 3 == 1 => (400, refused),
            _ => (200, chat("모르겠습니다.")),
        }
    });
    let (koab, file) = prepared(&format!("{}/v1", server.address));
    let sound = small(&fs::read_to_string(&file).expect("the file"));
    fs::write(&file, &sound).expect("written");
    let word = file.to_str().expect("UTF-8");
    let planned = koab.json(&["sweep", word, "--dry-run"])["runs"][1]["attempts"].clone();
    let (code, table) = swept(&koab, word);
    assert!(code != 0 && table["stopped"].is_string(), "{table}");
    assert_eq!(
        (&table["done"], &table["runs"]),
        (&json!(1), &json!(2)),
        "{table}"
    );
    assert!(
        table["notes"]
            .to_string()
            .contains("openai_compat/warm on second@"),
        "{table}"
    );
    let cold = &table["cells"][1]["results"][0];
    let (tasks, unscored) = (cold["tasks"].as_u64(), cold["unscored"].as_u64());
    assert!(unscored > Some(0), "{table}");
    assert_eq!(
        tasks.zip(unscored).map(|(tasks, not)| tasks + not),
        planned.as_u64()
    );
}

#[test]
fn what_judges_took_before_the_budget_stopped_them_is_counted() {
    let server = Local::start(move |request| {
        if !request.line.starts_with("POST") {
            let models = json!([{ "id": "warm" }, { "id": "cold" }, { "id": "judge" }]);
            return (200, json!({ "object": "list", "data": models }));
        }
        if request.body["model"] != "judge" {
            return (200, chat("모르겠습니다."));
        }
        let mut said = chat(&json!({ "reason": "r", "success": false }).to_string());
        said["usage"] = json!({ "prompt_tokens": 2900, "completion_tokens": 100, "total_tokens": 3000 });
        (200, said)
    });
    let (koab, file) = prepared(&format!("{}/v1", server.address));
    let sound = fs::read_to_string(&file).expect("the file");
    let swept_file = sound
        .replace("name = ", "max_total_tokens = 30000\nname = ")
        .replace("[\"L1\", \"L2\", \"L3\"]", "[\"L1\"]")
        .replace("[\"starter\", \"second\"]", "[\"second\"]")
        .replace("repetitions = 2", "repetitions = 1")
        .replace("[0.0, 0.7, 1.0]", "[0.7]");
    fs::write(&file, swept_file).expect("written");
    let (code, table) = swept(&koab, file.to_str().expect("UTF-8"));
    assert!(code != 0 && table["done"] == 0, "{table}");
    let folder = fs::read_dir(koab.path().join("sweeps")).expect("what judges took");
    let noted: Vec<Value> = folder
        .flatten()
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| support::read_json(&path))
        .collect();
    let tokens: u64 = noted.iter().filter_map(|of| of[1].as_u64()).sum();
    assert!(tokens >= 3000, "{noted:?} {table}");
}
