use super::{EvaluateOptions, JudgeChoice, RunChoice};
use crate::wire::EvaluateRequest;
use koab_core::protocol::Protocol;
use serde_json::json;

fn options(fields: serde_json::Value) -> EvaluateOptions {
    let mut request = json!({"run": "r", "scorer": "corrected", "judges": [], "judge_base_url": null});
    for (name, value) in fields.as_object().unwrap() {
        request[name] = value.clone();
    }
    let request: EvaluateRequest = serde_json::from_value(request).unwrap();
    request.into()
}

#[test]
fn a_request_of_the_window_is_a_scoring_with_the_published_settings() {
    let bare = options(json!({}));
    assert_eq!(bare.judges, JudgeChoice::Nobody, "an empty list is nobody, and not the usual ones");
    assert_eq!((bare.scorers, bare.votes), (vec![Protocol::Corrected], 3));
    assert!(matches!(&bare.run, RunChoice::Run(run) if run == "r"));
    assert_eq!((bare.caps.max_cost, bare.caps.max_total_tokens), (None, None));
    assert!(bare.asks && !bare.first_repetition && bare.sample.is_none() && bare.levels.is_empty());
    assert!(bare.formats.json && bare.formats.csv && bare.formats.markdown);
    let judged = options(json!({"judges": ["a/1", "b/2"], "judge_base_url": "http://127.0.0.1:1/v1",
        "max_cost": 0.5, "max_total_tokens": 1000}));
    let base_url = Some("http://127.0.0.1:1/v1".to_owned());
    let ids = vec!["a/1".to_owned(), "b/2".to_owned()];
    assert_eq!(judged.judges, JudgeChoice::Models { ids, base_url });
    assert_eq!((judged.caps.max_cost, judged.caps.max_total_tokens), (Some(0.5), Some(1000)));
}
