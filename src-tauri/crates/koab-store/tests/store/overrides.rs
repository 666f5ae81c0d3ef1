//! Verdicts, failures and overrides on a real database.

use koab_core::score::MetricId;
use koab_store::Store;
use koab_store::overrides::{NewOverride, Override, VerdictPlace};
use koab_store::verdicts::{StoredAnswer, VerdictKey};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("koab.sqlite")).expect("opened");
    (folder, store)
}

fn key(judge: &str) -> VerdictKey<'_> {
    VerdictKey { question_hash: "q", judge, prompt_version: "1#0" }
}

#[test]
fn a_failure_is_shown_until_the_judge_answers() {
    let (_folder, store) = store();
    store.keep_verdict(key("a"), &json!({"score": 4})).expect("kept");
    store.keep_verdict_failure(key("b"), &"timeout".into()).expect("kept");
    store.keep_verdict_failure(key("b"), &"not JSON".into()).expect("kept");
    let kept = |store: &Store| -> Vec<(String, StoredAnswer)> {
        let on = store.verdicts_on("q").expect("read");
        on.into_iter().map(|verdict| (verdict.judge, verdict.kept)).collect()
    };
    assert_eq!(
        kept(&store),
        [
            ("a".to_owned(), StoredAnswer::Answer(json!({"score": 4}))),
            ("b".to_owned(), StoredAnswer::Failure("not JSON".into())),
        ]
    );
    assert_eq!(store.verdict(key("b")).expect("read"), None, "a failure is not an answer");
    store.keep_verdict(key("b"), &json!({"score": 1})).expect("kept");
    assert_eq!(kept(&store)[1].1, StoredAnswer::Answer(json!({"score": 1})));
    assert!(store.verdicts_on("r").expect("read").is_empty());
}

#[test]
fn an_unreadable_answer_is_told_apart_and_can_be_mended() {
    let (folder, store) = store();
    store.keep_verdict(key("a"), &json!({"score": 4})).expect("kept");
    let sqlite = rusqlite::Connection::open(folder.path().join("koab.sqlite")).expect("opened");
    sqlite.execute("UPDATE verdict SET answer = '{'", []).expect("damaged");
    let error = store.verdict(key("a")).expect_err("damaged");
    assert!(matches!(error, koab_store::Error::BadFile(_)), "{error}");
    assert_eq!(store.verdicts_on("q").expect("read")[0].kept, StoredAnswer::Damaged);
    store.mend_verdict(key("a"), &json!({"score": 2})).expect("mended");
    assert_eq!(store.verdict(key("a")).expect("read"), Some(json!({"score": 2})));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_newest_override_holds_the_others_stay_and_no_verdict_changes(
        steps in prop::collection::vec(
            (0usize..3, prop::sample::select(vec!["", "a", "b"]), 1i64..=5, ".{1,20}", any::<bool>()), 1..14,
        ),
    ) {
        let (_folder, store) = store();
        let verdict = json!({"score": 3});
        store.keep_verdict(key("a"), &verdict).unwrap();
        let mut expected: BTreeMap<(String, String), Value> = BTreeMap::new();
        let mut said = Vec::new();
        for (question, judge, score, why, ends) in &steps {
            let hash = ["q", "r", "s"][*question];
            let place = (hash.to_owned(), (*judge).to_owned());
            if *ends {
                let held: Vec<Override> = store.overrides().unwrap();
                let held = held.iter().find(|o| {
                    o.holds() && o.question_hash == hash && o.place.judge.as_deref().unwrap_or_default() == *judge
                });
                prop_assert_eq!(held.is_some(), expected.remove(&place).is_some());
                if let Some(held) = held {
                    prop_assert!(store.end_override(held.id, "ender").unwrap());
                    prop_assert!(!store.end_override(held.id, "ender").unwrap(), "only once");
                }
                continue;
            }
            let answer = json!({"score": score});
            store.override_verdicts(&[hash.to_owned()].into(), &NewOverride {
                place: &VerdictPlace {
                    run: "m/1".to_owned(),
                    task: "L7-001".to_owned(),
                    metric: MetricId::RefRecall,
                    judge: Some((*judge).to_owned()).filter(|judge| !judge.is_empty()),
                },
                answer: &answer,
                by: "민수",
                why,
            }).unwrap();
            expected.insert(place, answer);
            said.push(why.clone());
        }
        let all = store.overrides().unwrap();
        let whys: Vec<String> = all.iter().map(|o| o.why.clone()).collect();
        prop_assert_eq!(whys, said, "everything said is still there, in order and to the letter");
        let holding: BTreeMap<(String, String), Value> = all
            .iter()
            .filter(|o| o.holds())
            .map(|o| ((o.question_hash.clone(), o.place.judge.clone().unwrap_or_default()), o.answer.clone()))
            .collect();
        prop_assert_eq!(holding.len(), all.iter().filter(|o| o.holds()).count(), "one for a question and judge");
        prop_assert_eq!(holding, expected);
        prop_assert_eq!(store.verdict(key("a")).unwrap(), Some(verdict));
    }
}
