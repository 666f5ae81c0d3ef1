use super::*;
use crate::report::read_json;
use proptest::prelude::*;
use serde_json::json;

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

/// Tags and attribute names of a page, which no text in it may add to.
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
    for language in [Language::Korean, Language::English] {
        let html = page(&report("m"), &["an incomplete run".to_owned()], None, language);
        for outside in ["<script", "http://", "https://", "src=", "@import", "url("] {
            assert!(!html.contains(outside), "{outside}");
        }
        assert!(html.contains("an incomplete run"));
        let (korean, english) = ("보고서에 없습니다", "the report does not have it");
        let wanted = language == Language::Korean;
        assert_eq!(
            (html.contains(korean), html.contains(english)),
            (wanted, !wanted),
            "reasons are in the page's language"
        );
        assert!(
            html.contains("<td class=\"n\">0.5000</td>"),
            "the mean of ToolAcc"
        );
        assert!(
            !html.contains("0.00</td>"),
            "a time that was not measured is no 0"
        );
    }
}

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
        let plain = page(&report("plain"), &["plain".to_owned()], None, Language::Korean);
        let html = page(&report(&hostile), std::slice::from_ref(&hostile), None, Language::Korean);
        prop_assert_eq!(skeleton(&html), skeleton(&plain));
    }
}
