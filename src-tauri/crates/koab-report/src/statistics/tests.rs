use super::*;
use koab_core::say;
use koab_core::sentence::Language;

/// Programs look a row up by these names.
#[test]
fn each_kind_of_row_has_its_name_in_json_and_in_the_table() {
    let kinds = [
        (Kind::Composite, "composite"),
        (Kind::LevelScore, "level_score"),
        (Kind::Mean, "mean"),
        (Kind::MeanOfAttempts, "mean_of_attempts"),
        (Kind::Repetition, "repetition"),
        (Kind::PassAt, "pass_at_k"),
        (Kind::PassAll, "pass_all_k"),
        (Kind::Disagreement, "disagreement"),
    ];
    let row = |kind| Row {
        kind,
        level: None,
        name: Some("SR".to_owned()),
        k: Some(2),
        value: Ok(0.5),
        bounds: Err(say!("one task")),
        tasks: Some(1),
    };
    let statistics = Statistics {
        model: "m".to_owned(),
        rows: kinds.iter().map(|(kind, _)| row(*kind)).collect(),
        attempts: Err(say!("one repetition")),
    };
    let names = kinds.map(|(_, name)| name);
    let document = statistics.to_json();
    let found = document["rows"].as_array().expect("rows").iter();
    assert!(found.map(|row| row["kind"].as_str()).eq(names.map(Some)));
    let table = statistics.to_csv(Language::ENGLISH);
    let found = table.lines().skip(1).map(|line| line.split(',').next().unwrap_or_default());
    assert!(found.eq(names), "{table}");
}
