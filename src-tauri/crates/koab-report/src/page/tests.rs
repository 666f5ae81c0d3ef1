use super::*;
use crate::read_json;
use crate::repetitions::{AttemptScore, AttemptScores, RepeatedTask, Repetitions, summary};
use koab_core::level::Level;
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_core::score::MetricId;
use koab_core::score::composite::CompositeVariant;
use proptest::prelude::*;
use serde_json::json;
use std::sync::LazyLock;

fn report(hostile: &str) -> Report {
    let document = json!({
        "summary": {"model": hostile, "judge_model": hostile, "execution_date": hostile, "evaluation_date": hostile},
        "by_level": {
            "L1": {
                "total_tasks": 2,
                "metrics": {"SR": null, "ToolAcc": 0.5},
                "metadata": {"total_steps": 3, "ttft": {"average": 0}},
                "task_evaluations": [
                    {"task_id": hostile, "success": true, "metrics": {
                        "SR": {"score": null, "unscored": hostile}, "ToolAcc": {"score": 1.0, "details": {}}}},
                    {"task_id": "L1-002", "success": false, "metrics": {
                        "SR": {"score": 0.0, "error": hostile}, "ToolAcc": {"score": 0.0, "details": {}}}},
                ],
                "unscored": {"SR": {"tasks": 1, "scored": 1, "reasons": {hostile: 1}}},
                "skipped": [{"task_id": hostile, "reason": hostile}],
            },
        },
    });
    read_json(document.to_string().as_bytes()).unwrap().report
}

/// A task whose id and troubles are a text from outside.
fn repeated(hostile: &str) -> Repetitions {
    let attempt = |repetition: u32| AttemptScores {
        repetition,
        answered: true,
        technical: Some(Box::new(hostile.into())),
        kept: true,
        scores: vec![AttemptScore { metric: MetricId::Sr, value: None, why: Some(hostile.into()) }].into(),
    };
    Repetitions {
        format: 1,
        planned: 3,
        scorer: Protocol::Leaderboard,
        judges: Vec::new(),
        first_only: false,
        tasks: vec![RepeatedTask {
            level: Level::L1,
            task: hostile.to_owned(),
            attempts: vec![attempt(1), attempt(2)],
        }],
    }
}

/// Tags and attribute names of a page, which no text in it may add to.
/// Its readings of the composite, without intervals.
fn readings(report: &Report) -> Vec<CompositeReading> {
    let readings = CompositeVariant::FLAT_REPORT.and_others().map(|variant| CompositeReading {
        variant,
        value: report.composite(variant).composite,
        bounds: Err("not drawn".into()),
    });
    readings.collect()
}

fn skeleton(html: &str) -> String {
    let mut skeleton = String::new();
    let (mut in_tag, mut quoted) = (false, false);
    for c in html.chars() {
        match c {
            '"' if in_tag => quoted = !quoted,
            '<' if !quoted => {
                in_tag = true;
                skeleton.push('<');
            }
            '>' if in_tag && !quoted => {
                in_tag = false;
                skeleton.push('>');
            }
            c if in_tag && !quoted => skeleton.push(c),
            _ => {}
        }
    }
    skeleton
}

#[test]
fn a_missing_number_is_a_dash_and_the_page_needs_nothing_else() {
    for language in [Language::KOREAN, Language::ENGLISH] {
        let html = page(
            &report("m"),
            &readings(&report("m")),
            &[say!("an incomplete run")],
            None,
            Err(&say!("there are no tasks")),
            None,
            language,
        );
        for outside in ["<script", "http://", "https://", "src=", "@import", "url("] {
            assert!(!html.contains(outside), "{outside}");
        }
        assert!(html.contains("an incomplete run"));
        let (korean, english) = ("보고서에 없습니다", "the report does not have it");
        let wanted = language == Language::KOREAN;
        assert_eq!(
            (html.contains(korean), html.contains(english)),
            (wanted, !wanted),
            "reasons are in the page's language"
        );
        assert!(html.contains("<td class=\"n\">0.5000</td>"), "the mean of ToolAcc");
        assert!(!html.contains("0.00</td>"), "a time that was not measured is no 0");
    }
}

/// The skeleton of a page whose texts are harmless.
static PLAIN: LazyLock<String> = LazyLock::new(|| {
    let kept = repeated("plain");
    let summary = summary(&kept).unwrap();
    let notes = ["plain".into()];
    skeleton(&page(
        &report("plain"),
        &readings(&report("plain")),
        &notes,
        None,
        Ok((&kept, &summary)),
        None,
        Language::KOREAN,
    ))
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_text_becomes_markup(
        hostile in prop_oneof![
            // An empty text leaves its attribute out, which is another page and no danger.
            ".{1,40}",
            Just("</style><script>alert(1)</script>".to_owned()),
            Just("\" onload=\"alert(1)".to_owned()),
            Just("' x='<img src=x onerror=alert(1)>&amp;".to_owned()),
            "[<>&\"'=/!-]{1,12}",
        ],
    ) {
        let kept = repeated(&hostile);
        let summary = summary(&kept).unwrap();
        let html = page(
            &report(&hostile), &readings(&report(&hostile)), std::slice::from_ref(&hostile.into()), None, Ok((&kept, &summary)), None, Language::KOREAN,
        );
        prop_assert_eq!(skeleton(&html), PLAIN.as_str());
    }
}
