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
