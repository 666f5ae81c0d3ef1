use crate::tests::desk::{Desk, refused};
use crate::wire::{AtlasExport, AtlasFormat, AtlasItem, AtlasSource, AtlasView};
use koab_analysis::atlas::{By, Cause, ItemFault, State};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::sentence::Language;
use koab_workspace::ErrorCode;
use proptest::prelude::*;
use serde_json::Value;

fn sorted(desk: &Desk, ids: &[&str]) -> AtlasView {
    let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    desk.compare.atlas(&ids).unwrap()
}

/// States of a source's attempts, by task.
fn states(view: &AtlasView, source: u32) -> Vec<(&str, State)> {
    let own = view.attempts.iter().filter(|one| one.source == source);
    own.map(|one| (one.task.as_str(), one.sorted.state)).collect()
}

#[tokio::test]
async fn attempts_are_sorted_by_report_and_by_run() {
    let desk = Desk::new();
    let (golden, golden_report) = desk.made("baseline/golden", "L1").await;
    let (silent, silent_report) = desk.made("baseline/silent", "L1").await;
    let view = sorted(&desk, &[&silent_report, &golden_report, &silent_report]);
    let ids: Vec<&str> = view.sources.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, [silent_report.as_str(), golden_report.as_str()], "each once, in the order asked for");
    let silent_source = &view.sources[0];
    assert_eq!(
        (silent_source.is_report, silent_source.judged, silent_source.why_not.clone()),
        (true, false, None)
    );
    assert_eq!((silent_source.run.as_deref(), silent_source.items), (Some(silent.as_str()), None));
    let names = ["L1-001", "L1-002", "L1-003", "L1-004"];
    // The silent model calls nothing, so all of it is lost; the golden path loses nothing that no judge decides.
    assert_eq!(states(&view, 0), names.map(|name| (name, State::Lossy)));
    assert!(states(&view, 1).iter().all(|(_, state)| *state != State::Lossy));
    let first: Vec<Cause> =
        view.attempts[..4].iter().filter_map(|one| Some(one.sorted.findings.first()?.cause)).collect();
    assert_eq!(first.len(), 4, "each has its cause");
    assert!(first.iter().all(|cause| *cause == first[0]), "{first:?}");
    assert_eq!(view.causes.len(), Cause::ALL.len());

    // A run says the same of its log alone.
    let by_run = desk.compare.gather_run(&silent).unwrap().sorted();
    assert!(!by_run.0.is_report && !by_run.0.judged);
    assert_eq!(by_run.1.iter().map(|one| one.sorted.state).collect::<Vec<_>>(), [State::Lossy; 4]);
    let of_task =
        |task: &str, report: Option<&str>| desk.compare.atlas_attempt(&silent, task, report).unwrap();
    assert_eq!(of_task("L1-002", None).map(|one| one.state), Some(State::Lossy));
    assert_eq!(of_task("L1-002", Some(&silent_report)).map(|one| one.state), Some(State::Lossy));
    assert_eq!(of_task("L2-001", None), None);
    let other = desk.compare.atlas_attempt(&golden, "L1-001", None).unwrap();
    assert!(other.is_some_and(|one| one.state != State::Lossy));
}

#[tokio::test]
async fn the_table_counts_what_the_list_has() {
    let desk = Desk::new();
    let (_, golden) = desk.made("baseline/golden", "L1").await;
    let (_, silent) = desk.made("baseline/silent", "L1").await;
    let english = Language::of_locale("en");
    let view = sorted(&desk, &[&golden, &silent]);
    let table = view.table(By::Model, english);
    assert_eq!(table.header, ["cause", "baseline/golden", "baseline/silent", "all", "also"]);
    let lines = view.lines(english);
    assert_eq!(lines.len(), 4);
    let cause = &lines[0].cells[3];
    let row = table.rows.iter().find(|row| row[0] == *cause).unwrap();
    assert_eq!((row[2].as_str(), row[3].as_str()), ("4", "4"), "{row:?}");
    let begin = "8 attempts: 4 lost points, ";
    assert!(table.summary[0].starts_with(begin), "{:?}", table.summary);
    assert!(table.summary[0].contains("0 of these are unclassified (0.0 %)"), "{:?}", table.summary);
    let note = format!("{silent}: no verdicts, so causes that need a judge were not looked for.");
    assert!(table.summary.contains(&note), "{:?}", table.summary);
    assert_eq!(lines[0].cells[..3], ["baseline/silent", "L1", "L1-001"].map(str::to_owned));
    let korean = view.table(By::Model, Language::of_locale("ko"));
    assert!(korean.header[0] != "cause" && korean.rows.len() == table.rows.len(), "{:?}", korean.header);
}

#[tokio::test]
async fn a_file_has_what_was_chosen_in_its_form() {
    let desk = Desk::new();
    let (_, silent) = desk.made("baseline/silent", "L1").await;
    let asked = |format, levels: &[&str], causes: Vec<Cause>| AtlasExport {
        ids: vec![silent.clone()],
        format,
        by: By::Level,
        levels: levels.iter().map(|level| level.parse().unwrap()).collect(),
        causes,
        language: "en".to_owned(),
    };
    let export = |asked: &AtlasExport| desk.compare.atlas_export(asked).unwrap();
    for (format, ending, media, begin) in [
        (AtlasFormat::Csv, "csv", "text/csv", "model,"),
        (AtlasFormat::Json, "json", "application/json", "{"),
        (AtlasFormat::Svg, "svg", "image/svg+xml", "<svg"),
    ] {
        let file = export(&asked(format, &[], Vec::new()));
        let name = format!("atlas_{}.{ending}", silent.replace(['/', ':'], "_"));
        assert_eq!((file.name, file.media.as_str()), (name, media));
        assert!(file.text.starts_with(begin), "{}", &file.text[..40.min(file.text.len())]);
    }
    let attempts = |asked: &AtlasExport| {
        let document: Value = serde_json::from_str(&export(asked).text).unwrap();
        document["attempts"].as_array().unwrap().len()
    };
    let view = sorted(&desk, &[&silent]);
    let cause = view.attempts[0].sorted.findings[0].cause;
    let other = Cause::ALL.iter().find(|one| {
        let findings = view.attempts.iter().flat_map(|attempt| &attempt.sorted.findings);
        !findings.map(|finding| finding.cause).any(|found| found == **one)
    });
    let other = *other.unwrap();
    assert_eq!(attempts(&asked(AtlasFormat::Json, &[], Vec::new())), 4);
    assert_eq!(attempts(&asked(AtlasFormat::Json, &["L1"], vec![cause])), 4);
    assert_eq!(attempts(&asked(AtlasFormat::Json, &["L2"], Vec::new())), 0);
    assert_eq!(attempts(&asked(AtlasFormat::Json, &[], vec![other])), 0);
}

#[test]
fn what_cannot_be_sorted_says_why() {
    let desk = Desk::new();
    desk.put_solved("away", "lab/a", "L1", &[true, false]);
    let view = sorted(&desk, &["away"]);
    // Its run is not in the workspace.
    assert!(view.sources[0].why_not.is_some() && view.attempts.is_empty(), "{view:?}");
    refused(desk.compare.atlas(&[]), "name a report or a run whose attempts are to be classified");
    let many: Vec<String> = (0..61).map(|at| format!("r{at}")).collect();
    refused(desk.compare.atlas(&many), "choose at most 60 reports or runs");
    let gone = desk.compare.atlas(&["gone".to_owned()]).unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound);
    assert!(gone.message.to_string().contains("gone"), "{}", gone.message);
}

fn source(id: &str, model: &str, items: Option<&[(&str, u32)]>) -> AtlasSource {
    let groups = items.unwrap_or_default().iter();
    let groups: std::collections::BTreeMap<Level, u32> =
        groups.map(|(group, count)| (group.parse().unwrap(), *count)).collect();
    AtlasSource {
        id: id.to_owned(),
        is_report: true,
        model: model.to_owned(),
        run: None,
        scorer: Protocol::Leaderboard,
        judged: true,
        skipped: 0,
        why_not: None,
        items: items.map(|_| groups.values().sum()),
        groups,
    }
}

fn item(source: u32, group: &str, task: &str) -> AtlasItem {
    AtlasItem {
        source,
        found: ItemFault {
            level: group.parse().unwrap(),
            task: task.to_owned(),
            fault: "wrong".to_owned(),
            metric: "accuracy".to_owned(),
            more: String::new(),
        },
    }
}

fn of_items() -> AtlasView {
    AtlasView {
        sources: vec![
            source("one", "lab/a", Some(&[("L1", 3), ("L2", 5)])),
            source("two", "lab/b", Some(&[("L1", 3)])),
        ],
        causes: Vec::new(),
        attempts: Vec::new(),
        items: vec![item(0, "L1", "a"), item(0, "L2", "b"), item(1, "L1", "c")],
    }
}

#[test]
fn items_are_chosen_by_group_and_never_by_cause() {
    let mut view = of_items();
    assert!(view.is_of_items());
    view.keep(&[Level::L1], &[]).unwrap();
    let tasks: Vec<&str> = view.items.iter().map(|one| one.found.task.as_str()).collect();
    assert_eq!((tasks, view.sources[0].items, view.sources[1].items), (vec!["a", "c"], Some(3), Some(3)));
    let mut view = of_items();
    view.keep(&[], &[Cause::ALL[0]]).unwrap();
    assert!(view.items.is_empty());
    let why = view.sources[0].why_not.as_ref().unwrap().to_string();
    assert!(why.contains("no item of this benchmark is chosen"), "{why}");
    assert_eq!(view.sources[0].items, Some(8));
    let table = of_items().table(By::Model, Language::of_locale("en"));
    assert_eq!(
        table.summary,
        [
            "one: 2 of 8 items with a score were answered wrong.",
            "two: 1 of 3 items with a score were answered wrong.",
        ]
    );
}

#[test]
fn one_table_cannot_hold_attempts_and_items() {
    let mut mixed = of_items();
    mixed.check_is_of_one_kind().unwrap();
    mixed.sources.push(source("three", "lab/c", None));
    assert!(!mixed.is_of_items());
    refused(mixed.check_is_of_one_kind(), "take JSON, or leave out one, two");
    let mut attempts = of_items();
    attempts.sources = vec![source("three", "lab/c", None)];
    attempts.check_is_of_one_kind().unwrap();
    assert!(!attempts.is_of_items());
}

proptest! {
    #![proptest_config(koab_draws::config(48))]

    /// What is kept of one choice and then of another is what is kept of both at once.
    #[test]
    fn choices_of_groups_are_taken_one_after_the_other(
        items in prop::collection::vec((0u32..2, 1usize..8), 0..20),
        first in prop::collection::btree_set(1usize..8, 1..4),
        second in prop::collection::btree_set(1usize..8, 1..4),
    ) {
        let view = AtlasView {
            items: items.iter().map(|(source, level)| item(*source, &format!("L{level}"), "t")).collect(),
            ..of_items()
        };
        let levels = |of: &std::collections::BTreeSet<usize>| -> Vec<Level> {
            of.iter().map(|level| format!("L{level}").parse().unwrap()).collect()
        };
        let (mut twice, mut once) = (view.clone(), view.clone());
        twice.keep(&levels(&first), &[]).unwrap();
        twice.keep(&levels(&second), &[]).unwrap();
        let both: std::collections::BTreeSet<usize> = first.intersection(&second).copied().collect();
        let expected = items.iter().filter(|(_, level)| both.contains(level)).count();
        prop_assert_eq!(twice.items.len(), expected);
        if !both.is_empty() {
            once.keep(&levels(&both), &[]).unwrap();
            prop_assert_eq!(&once.items, &twice.items);
        }
        // All levels are no choice.
        let mut all = view.clone();
        all.keep(&[], &[]).unwrap();
        prop_assert_eq!(all, view);
    }
}
