//! Subsamples equal to those of the original tool.

use crate::sandbox::support::{benchmark, read, reference};
use koab_scenarios::subsample::{Share, Subsample};
use serde_json::Value;
use std::fs;

#[test]
fn the_recorded_draws_come_out_again() {
    let Some(path) = reference("recorded/subsample-vectors.json") else {
        return;
    };
    let vectors: Value = serde_json::from_str(&fs::read_to_string(path).expect("read")).expect("JSON");
    let numbers = |value: &Value| -> Vec<usize> { serde_json::from_value(value.clone()).expect("numbers") };
    let drawn = vectors["vectors"].as_array().expect("a list");
    assert_eq!(drawn.len(), 13);
    for vector in drawn {
        let (n, k) = (numbers(&serde_json::json!([vector["n"], vector["k"]]))[0], vector["k"].as_u64());
        let share = Share::Count(k.expect("a count") as usize);
        assert_eq!(Subsample::new(share).draw(n), numbers(&vector["indices"]), "{vector}");
    }
    let mut both = Subsample::new(Share::Count(3));
    let drawn = [both.draw(10), both.draw(5)];
    let recorded: Vec<Vec<usize>> =
        serde_json::from_value(vectors["shared_rng_two_files"].clone()).expect("lists");
    assert_eq!(drawn.as_slice(), recorded);
}

#[test]
fn a_files_instances_are_left_in_the_order_drawn() {
    let lines: Vec<String> = (0..10)
        .map(|at| format!(r#"{{"id": "{at:02}", "template": "../Templates/one.py", "substitutions": {{}}}}"#))
        .collect();
    let benchmark = benchmark(&lines.join("\n"));
    let mut file = read(&benchmark).expect("sound").remove(0);
    Subsample::new(Share::parse("0.25").expect("a share")).apply(&mut file);
    let ids: Vec<&str> = file.instances.iter().map(|instance| instance.id.as_str()).collect();
    assert_eq!(ids, ["06", "01", "02"]);
}

#[test]
fn a_share_is_read_as_the_recorded_tool_read_it() {
    let drawn = |text: &str| Subsample::new(Share::parse(text).expect(text)).draw(10);
    let drawing = [6, 1, 2, 7, 0, 4, 8, 9, 5, 3];
    for (text, count) in [
        ("3", 3),
        ("0.5", 5),
        ("0.25", 3),
        ("0.24", 2),
        ("1", 1),
        ("0", 0),
        ("0.0", 0),
        ("99", 10),
        ("0.999", 10),
        (".5", 5),
        ("5e-1", 5),
    ] {
        assert_eq!(drawn(text), drawing[..count], "{text}");
    }
    assert_eq!(drawn("1e1").len(), 10);
    for everything in ["1.0", "1."] {
        assert_eq!(drawn(everything), (0..10).collect::<Vec<_>>(), "{everything}");
    }
    // A count below zero ran nothing without a word.
    for wrong in ["1.5", "-0.5", "abc", "-1", "", "nan", "inf"] {
        let why = Share::parse(wrong).expect_err(wrong);
        assert_eq!(why, format!("{wrong:?} is neither a count nor a share from 0.0 to 1.0"));
    }
}
