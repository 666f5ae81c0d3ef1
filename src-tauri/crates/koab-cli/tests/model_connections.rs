//! Named connections: made once, a model by its name everywhere, written down as provider and address.

use crate::support::Koab;
use crate::support::http::{Local, model};
use serde_json::{Value, json};

fn connected(koab: &Koab, name: &str, server: &Local) -> String {
    let address = format!("{}/v1", server.address);
    let kept = koab.json(&["models", "connect", name, "--base-url", &address]);
    assert_eq!((&kept["models"], &kept["base_url"]), (&json!(["m"]), &json!(address)));
    address
}

#[test]
fn a_connection_is_a_model_s_address_for_runs_estimates_and_judges() {
    let (koab, server, other) = (Koab::new(), model("stop"), model("stop"));
    let address = connected(&koab, "Lab", &server);
    connected(&koab, "second", &other);
    let names: Vec<Value> = koab.json(&["models", "connections"]).as_array().expect("a list").clone();
    assert_eq!([&names[0]["name"], &names[1]["name"]], ["lab", "second"]);

    let plan = koab.json(&["run", "--model", "lab/m", "--levels", "L1", "--dry-run"]);
    assert_eq!(plan["model"], "lab/m");
    let made = koab.json(&["run", "--model", "lab/m", "--levels", "L1"]);
    let folder = made["run"]["folder"].as_str().expect("a folder");
    let manifest = crate::support::read_json(&std::path::Path::new(folder).join("run.json"));
    let text = manifest.to_string();
    assert!(text.contains("openai_compat/m") && text.contains(&address) && !text.contains("lab/m"), "{text}");

    let apart = ["evaluate", "--run", folder, "--judge-models", "lab/m", "second/m"];
    let refused = koab.run(&apart);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    insta::assert_snapshot!(refused.stderr.trim(), @"koab: lab/m and second/m are at different addresses; name judges that share one address, or judges of providers at the providers' own addresses");
    let asked = server.requests().len();
    // The judge says nothing that can be read, but it is asked at the connection's address.
    koab.run(&["evaluate", "--run", folder, "--judge-models", "lab/m"]);
    assert!(server.requests().len() > asked + 1);

    assert_eq!(koab.json(&["models", "probe", "lab/m"])["called"], true);
    koab.ok(&["models", "disconnect", "LAB"]);
    let gone = koab.run(&["run", "--model", "lab/m", "--levels", "L1"]);
    assert!(gone.code == 2 && gone.stderr.contains("`lab` is not a provider"), "{}", gone.stderr);
}

/// Every name that a face shows for a model at an address is one, it can be typed, and files have the id.
#[test]
fn a_model_at_an_address_has_one_name_on_every_face() {
    let (koab, server, other) = (Koab::new(), model("stop"), model("stop"));
    let address = connected(&koab, "lab", &server);
    connected(&koab, "second", &other);
    let mut reports = Vec::new();
    for name in ["lab/m", "second/m"] {
        let made = koab.json(&["run", "--model", name, "--levels", "L1"]);
        let shown = koab.json(&["runs", "show", made["run"]["folder"].as_str().expect("a folder")]);
        assert_eq!((&shown["model"], &shown["address"]), (&json!(name), &Value::Null));
        let run = shown["id"].as_str().expect("an id").to_owned();
        let scored = koab.json(&["evaluate", &run, "--no-judge"]);
        let report = scored[0]["id"].as_str().expect("a report").to_owned();
        assert_eq!(koab.json(&["report", "show", &report])["model"], name);
        reports.push(report);
    }
    let models = |found: &Value| -> Vec<String> {
        let rows = found.as_array().expect("a list").iter();
        let mut names: Vec<String> =
            rows.map(|row| row["model"].as_str().expect("a name").to_owned()).collect();
        names.sort();
        names
    };
    let both = ["lab/m", "second/m"];
    assert_eq!(models(&koab.json(&["runs", "list"])), both);
    assert_eq!(models(&koab.json(&["report", "list"])), both);
    let side_by_side = koab.json(&["report", "compare", &reports[0], &reports[1]]);
    assert_eq!(models(&side_by_side["reports"]), both);
    let file = koab.path().join("reports").join(&reports[0]).join("evaluation_report.json");
    let text = std::fs::read_to_string(&file).expect("a report");
    assert!(text.contains("openai_compat/m") && !text.contains("lab/m"), "{}", file.display());

    koab.ok(&["models", "disconnect", "lab"]);
    let left = koab.json(&["runs", "list"]);
    assert_eq!(models(&left), ["openai_compat/m", "second/m"]);
    let row = left.as_array().expect("a list").iter().find(|row| row["model"] == "openai_compat/m");
    assert_eq!(row.expect("one")["address"], json!(address), "who has no name is told apart by the address");
}

#[test]
fn connections_that_make_no_sense_are_refused() {
    let koab = Koab::new();
    let sentence = |words: &[&str]| {
        let ran = koab.run(&[&["models", "connect"], words].concat());
        assert_eq!(ran.code, 2, "{}", ran.stderr);
        ran.stderr.trim().to_owned()
    };
    insta::assert_snapshot!(sentence(&["openai", "--provider", "vllm", "--model", "m"]), @"koab: openai is a provider; give the connection another name");
    insta::assert_snapshot!(sentence(&["lab", "--model", "m"]), @"koab: the connection lab has no address; give one like http://localhost:8000/v1");
    insta::assert_snapshot!(sentence(&["lab", "--base-url", "http://me:secret@127.0.0.1:9/v1", "--model", "m"]), @"koab: the address must hold no user name, password or query; store a key instead");
    insta::assert_snapshot!(sentence(&["lab", "--provider", "nobody", "--base-url", "http://127.0.0.1:9/v1", "--model", "m"]), @"koab: `nobody` is not a provider of models behind a server");
    assert_eq!(koab.json(&["models", "connections"]), json!([]));
}

#[test]
fn a_check_tells_the_faults_of_connections_apart() {
    let koab = Koab::new();
    let well = Local::start(|request| match request.line.starts_with("GET") {
        true => (200, json!({ "object": "list", "data": [{ "id": "m" }] })),
        false => (400, json!({ "error": { "message": "no model" } })),
    });
    let guarded = Local::start(|_| (401, json!({ "error": { "message": "wrong key" } })));
    let other = Local::start(|_| (200, json!({ "hello": "world" })));
    let connect = |name: &str, server: &Local, model: &str| {
        let address = format!("{}/v1", server.address);
        koab.ok(&["models", "connect", name, "--base-url", &address, "--model", model]);
    };
    assert_eq!(koab.json(&["models", "check"]), json!([]));
    for (name, server, model) in [
        ("works", &well, "m"),
        ("renamed", &well, "gone"),
        ("guarded", &guarded, "m"),
        ("other", &other, "m"),
    ] {
        connect(name, server, model);
    }
    koab.ok(&["models", "connect", "nobody", "--base-url", "http://127.0.0.1:9/v1", "--model", "m"]);

    let ran = koab.run(&["models", "check", "--json"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let rows: Vec<Value> = serde_json::from_str(&ran.stdout).expect("a list");
    let states: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| (row["name"].as_str().expect("a name"), row["state"].as_str().expect("a state")))
        .collect();
    let expected = [
        ("works", "well"),
        ("renamed", "model"),
        ("guarded", "key"),
        ("other", "protocol"),
        ("nobody", "address"),
    ];
    assert_eq!(states, expected);
    assert!(rows[0]["latency_ms"].is_u64() && rows[0]["last_success_ms"] == rows[0]["checked_ms"]);

    let one = koab.ok(&["models", "check", "WORKS"]).stdout;
    assert!(one.contains("works") && one.contains(" ms") && !one.contains("guarded"), "{one}");
    let korean = koab.run(&["--lang", "ko", "models", "check", "guarded"]).stdout;
    assert!(korean.contains("키가 거부되었거나 없음"), "{korean}");
    let misspelt = koab.run(&["models", "check", "wrks"]);
    assert!(
        misspelt.code != 0 && misspelt.stderr.contains("there is no connection wrks"),
        "{}",
        misspelt.stderr
    );
}
