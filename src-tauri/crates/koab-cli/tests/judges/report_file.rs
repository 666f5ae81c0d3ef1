//! What is kept of a report says what was said when it was made, unless its published file says otherwise.

use super::{evaluate, golden, metric, metric_task};
use crate::judges::server::Judges;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

#[test]
fn a_report_is_shown_as_it_was_made_until_its_published_file_is_changed() {
    let (koab, folder) = golden("L3,L7");
    let judges = Judges::start();
    let task = metric_task(&koab, &folder, "L7");
    let said = ["judge", "override", &folder, &task, "SR", "--success", "no"];
    koab.ok(&[&said[..], &["--by", "Mina", "--why", "forgot the first request"]].concat());
    let made = koab.json(&evaluate(&folder, &judges, &["openai_compat/a"], &[]))[0].clone();
    let id = made["id"].as_str().expect("an id");
    let show = || {
        let mut shown = koab.json(&["report", "show", id]);
        let shown = shown.as_object_mut().expect("a report");
        shown.retain(|key, _| made.get(key).is_some());
        Value::Object(shown.clone())
    };
    assert_eq!(show(), made);
    assert_eq!(koab.json(&["report", "list"])[0], made);
    assert!(metric(&made, "L7", "SR")["overridden"]["value"].is_number());

    // What the published files leave out is kept.
    let place = Path::new(made["folder"].as_str().expect("a folder"));
    let kept: Value =
        serde_json::from_slice(&fs::read(place.join("report_view.json")).expect("read")).expect("JSON");
    assert_eq!(kept["format"], 2);
    for report in ["report", "overridden"] {
        let means = kept[report]["levels"][0]["means"].as_array().expect("means");
        assert!(means.iter().any(|mean| mean["metric"] == "ProvAcc"), "{means:?}");
    }

    let published = place.join("evaluation_report.json");
    let text = fs::read_to_string(&published).expect("read");
    fs::write(&published, text.replacen("\"PSM\": 1.0", "\"PSM\": 0.5", 1)).expect("written");
    let changed = show();
    assert_eq!(metric(&changed, "L3", "PSM")["mean"], 0.5);
    assert_eq!(metric(&changed, "L7", "SR")["overridden"], Value::Null);
    assert_eq!(changed["run"], made["run"]);
    assert_eq!(
        noted(&changed, &made),
        ["report_view.json differs from the published file beside it, and the published file counts"]
    );
    fs::write(&published, text).expect("written");
    assert_eq!(show(), made);

    // Nor is a number believed that only the kept report has.
    let own = place.join("report_view.json");
    let text = fs::read_to_string(&own).expect("read");
    for change in [
        |kept: &mut Value| {
            let scores = kept["report"]["levels"][0]["tasks"][0]["scores"].as_array_mut().expect("scores");
            let of_psm = scores.iter_mut().find(|score| score[0] == "PSM").expect("PSM");
            of_psm[1] = json!({"kind": "scored", "value": 0.25, "details": {}});
        },
        |kept: &mut Value| {
            let means = kept["report"]["levels"][0]["means"].as_array_mut().expect("means");
            let of_psm = means.iter_mut().find(|mean| mean["metric"] == "PSM").expect("PSM");
            of_psm["value"] = json!(0.25);
        },
        |kept: &mut Value| kept["published"] = json!("all"),
    ] {
        let mut kept: Value = serde_json::from_str(&text).expect("JSON");
        change(&mut kept);
        fs::write(&own, kept.to_string()).expect("written");
        let shown = show();
        assert_eq!(metric(&shown, "L3", "PSM")["mean"], metric(&made, "L3", "PSM")["mean"]);
        assert_eq!(noted(&shown, &made).len(), 1, "{}", shown["notes"]);
    }
    fs::write(&own, text.replacen("\"levels\"", "\"floors\"", 1)).expect("written");
    let shown = show();
    assert_eq!(
        noted(&shown, &made),
        [
            "the report in report_view.json cannot be read by this version, so the published file beside it counts"
        ]
    );
    fs::write(&own, text).expect("written");
    assert_eq!(show(), made);
}

/// What a report notes that it did not note before.
fn noted(shown: &Value, made: &Value) -> Vec<String> {
    let notes = |report: &Value| report["notes"].as_array().expect("notes").clone();
    let before = notes(made);
    let new = notes(shown).into_iter().filter(|note| !before.contains(note));
    new.map(|note| note.as_str().expect("a sentence").to_owned()).collect()
}
