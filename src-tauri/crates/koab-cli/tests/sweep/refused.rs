//! What makes no sense is refused before anything is made.

use crate::sweep::{prepared, server};
use serde_json::json;
use std::fs;
use std::sync::atomic::Ordering;

#[test]
fn what_makes_no_sense_is_refused_in_one_sentence_before_anything_is_made() {
    let (server, asked) = server();
    let (koab, file) = prepared(&format!("{}/v1", server.address));
    let sound = fs::read_to_string(&file).expect("the file");
    for (from, to, expected) in
        [("repetitions", "repetition", "line 4: "), ("[0.0, 0.7, 1.0]", "[0.7, 0.7]", "has 0.7 twice")]
    {
        assert!(sound.contains(from), "{from}");
        fs::write(&file, sound.replace(from, to)).expect("written");
        let ran = koab.run(&["sweep", file.to_str().expect("UTF-8")]);
        let (code, said) = (ran.code, format!("{}{}", ran.stdout, ran.stderr));
        assert!(code != 0 && said.contains(expected), "{to}: {code} {said}");
        assert_eq!(said.trim().lines().count(), 1, "{said}");
    }
    // A price that is known, and a cap below what it would cost.
    let prices = json!({ "as_of": "2026-01-01", "models": {
        "openai_compat/*": { "input": 1000.0, "output": 1000.0 },
    } });
    fs::write(koab.path().join("prices.json"), prices.to_string()).expect("written");
    fs::write(&file, sound.replace("name = ", "max_cost = 0.01\nname = ")).expect("written");
    let ran = koab.run(&["sweep", file.to_str().expect("UTF-8")]);
    assert!(
        ran.code == 2 && ran.stderr.contains("more than its budget of $0.01"),
        "{} {}",
        ran.code,
        ran.stderr
    );
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    assert_eq!(koab.json(&["runs", "list"]), json!([]));
}
