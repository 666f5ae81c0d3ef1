//! What is made stays, and for whom it counts.

use crate::support::Koab;
use crate::sweep::{prepared, server, small, swept};
use serde_json::json;
use std::fs;

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
