//! System prompts and texts of tools.

use crate::support;
use crate::sweep::{prepared, server};
use serde_json::{Value, json};
use std::fs;

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
        .replace("temperature = 0.7\n", "system_prompt = \"none\"\ntool_texts = \"none\"\n");
    fs::write(&file, &swept).expect("written");
    let word = file.to_str().expect("UTF-8");
    let table = koab.json(&["sweep", word]);
    let cells = table["cells"].as_array().expect("cells");
    assert_eq!(
        (cells.len(), &table["baseline"]),
        (8, &json!("openai_compat/cold system_prompt=none tool_texts=none"))
    );
    assert!(table["notes"][0].to_string().contains("not comparable"), "{table}");
    let both = &cells[3];
    assert_eq!((&both["system_prompt"], &both["tool_texts"]), (&json!("short.txt"), &json!("tools.toml")));
    let run = both["results"][0]["run"].as_str().expect("a run");
    let shown = koab.json(&["runs", "show", run]);
    assert_eq!(shown["comparability"]["leaderboard"]["grade"], "not_comparable", "{shown}");
    let folder = koab.path().join("logs/benchmark_results/by_model").join(run);
    let spec = &support::read_json(&folder.join("run.json"))["spec"];
    let prompt = &spec["texts"]["system_prompt"];
    assert_eq!((&prompt["file"], &prompt["text"]), (&json!("short.txt"), &json!(told)));
    assert_eq!(prompt["sha256"].as_str().map(str::len), Some(64));
    assert_eq!(spec["texts"]["tools"]["text"][name], "OWN TOOL TEXT");
    let plain = cells[0]["results"][0]["run"].as_str().expect("a run");
    let plain = koab.path().join("logs/benchmark_results/by_model").join(plain);
    assert!(support::read_json(&plain.join("run.json"))["spec"].get("texts").is_none());

    // Half of all requests have the prompt in front, of conversations with a history as well, and the rest have none.
    let requests = server.requests();
    let of_models = requests.iter().filter(|of| of.line.starts_with("POST") && of.body["model"] != "judge");
    let first: Vec<&Value> = of_models.map(|of| &of.body["messages"][0]).collect();
    let told: Vec<_> = first.iter().filter(|of| of["role"] == "system").collect();
    assert!(told.len() * 2 == first.len() && told.iter().all(|of| of["content"] == "짧게 답하세요."));
    let all = requests.iter().map(|of| of.body["tools"].to_string()).collect::<String>();
    assert!(all.contains("OWN TOOL TEXT") && all.contains("OWN ARGUMENT TEXT"));

    // A changed file is another cell; a name that the pack does not have is refused.
    fs::write(koab.path().join("short.txt"), "다른 말.").expect("written");
    let plan = koab.json(&["sweep", word, "--dry-run"]);
    let new = plan["runs"].as_array().expect("runs").iter().filter(|run| run["state"] == "new").count();
    assert_eq!(new, 4, "{plan}");
    fs::write(koab.path().join("tools.toml"), "Nothing = \"x\"").expect("written");
    let ran = koab.run(&["sweep", word]);
    assert!(ran.code != 0 && ran.stderr.contains("tools.toml describes Nothing"), "{}", ran.stderr);
}
