use super::of_attempt;
use crate::wire::AgentConduct;
use koab_core::run_record::AgentFacts;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

fn facts(own_tools: &[(&str, u32)]) -> AgentFacts {
    AgentFacts {
        model_calls: 5,
        side_calls: 1,
        own_tools: own_tools.iter().map(|(_, calls)| calls).sum(),
        own_tools_by_name: own_tools.iter().map(|(name, calls)| ((*name).to_owned(), *calls)).collect(),
        unmade: 2,
        changed: 3,
        by_agent: 4,
        startup_s: Some(1.5),
        ..AgentFacts::default()
    }
}

/// Writes the file of an attempt into a run's folder.
fn write(folder: &Path, task: &str, repetition: u32, text: &Value) {
    let attempt = folder.join("agents").join(task).join(repetition.to_string());
    std::fs::create_dir_all(&attempt).unwrap();
    std::fs::write(attempt.join("attempt.json"), text.to_string()).unwrap();
}

/// The attempts of one run, summed.
fn summed(folder: &Path, attempts: &[(u32, AgentFacts)]) -> AgentConduct {
    let mut sum = super::Sum::default();
    for (repetition, facts) in attempts {
        sum.add(folder, "T", *repetition, facts);
    }
    sum.whole()
}

#[test]
fn an_attempt_is_told_by_the_journal_and_its_own_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = json!({"hosts_asked_for": ["b.com", "a.com"], "after_end": 2, "outlived": true});
    write(folder.path(), "T", 1, &text);
    let conduct = of_attempt(folder.path(), "T", 1, &facts(&[("shell", 1), ("web", 7), ("read", 1)]));
    let asked = conduct.asked.expect("the gateway saw it");
    assert_eq!((asked.model_calls, asked.side_calls, asked.own_calls), (5, 1, 9));
    assert_eq!((asked.unmade, asked.changed, asked.by_agent), (2, 3, 4));
    let tools: Vec<(&str, u32)> =
        asked.own_tools.iter().map(|tool| (tool.name.as_str(), tool.calls)).collect();
    assert_eq!(tools, [("web", 7), ("read", 1), ("shell", 1)], "the most called first, then by name");
    assert_eq!(conduct.hosts, Some(vec!["a.com".to_owned(), "b.com".to_owned()]));
    assert_eq!((conduct.attempts, conduct.after_end, conduct.outlived, conduct.unread), (1, 2, 1, 0));
    assert_eq!((conduct.startup_s, conduct.hosts_of_run), (Some(1.5), false));
}

#[test]
fn what_is_not_known_is_not_zero() {
    let folder = tempfile::tempdir().unwrap();
    let unseen = AgentFacts { by_arrival: true, startup_s: None, ..facts(&[("shell", 1)]) };
    let conduct = of_attempt(folder.path(), "T", 1, &unseen);
    assert!(conduct.asked.is_none(), "no reply of its model was seen");
    assert_eq!((conduct.startup_s, conduct.hosts, conduct.unread), (None, None, 1));
    write(folder.path(), "T", 1, &json!({"own_model": true}));
    let conduct = of_attempt(folder.path(), "T", 1, &unseen);
    assert_eq!((conduct.hosts, conduct.unread), (None, 0), "nothing stood between it and the network");
    write(folder.path(), "T", 1, &json!({"hosts_asked_for_so_far": []}));
    let conduct = of_attempt(folder.path(), "T", 1, &unseen);
    assert_eq!((conduct.hosts, conduct.hosts_of_run), (Some(Vec::new()), true));
}

#[test]
fn a_sum_has_each_host_once_and_the_mean_of_the_starts_that_are_known() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "T", 1, &json!({"hosts_asked_for": ["a.com", "c.com"], "after_end": 1}));
    write(folder.path(), "T", 2, &json!({"hosts_asked_for": ["a.com", "b.com"], "outlived": true}));
    let late = AgentFacts { startup_s: Some(4.5), ..facts(&[("web", 1)]) };
    let never = AgentFacts { startup_s: None, ..facts(&[]) };
    let conduct = summed(folder.path(), &[(1, facts(&[("web", 2)])), (2, late), (3, never)]);
    let names: Vec<&str> = conduct.hosts.iter().flatten().map(String::as_str).collect();
    assert_eq!(names, ["a.com", "b.com", "c.com"]);
    assert_eq!(conduct.startup_s, Some(3.0), "(1.5 + 4.5) / 2");
    assert_eq!((conduct.attempts, conduct.after_end, conduct.outlived, conduct.unread), (3, 1, 1, 1));
    let asked = conduct.asked.expect("calls");
    assert_eq!((asked.model_calls, asked.own_tools[0].calls), (15, 3));
}

proptest! {
    #![proptest_config(koab_draws::config(128))]

    /// The order in which attempts ended changes nothing, and no call is lost.
    #[test]
    fn a_sum_is_the_same_in_any_order(
        tools in proptest::collection::vec(proptest::collection::btree_map("[a-c]", 1..9_u32, 0..3), 1..6),
        shift in 0..6_usize,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let of = |tools: &BTreeMap<String, u32>| {
            let named: Vec<(&str, u32)> = tools.iter().map(|(name, calls)| (name.as_str(), *calls)).collect();
            facts(&named)
        };
        let mut attempts: Vec<(u32, AgentFacts)> = (1..).zip(tools.iter().map(of)).collect();
        let one = json!(summed(folder.path(), &attempts));
        let shift = shift % attempts.len();
        attempts.rotate_left(shift);
        prop_assert_eq!(json!(summed(folder.path(), &attempts)), one.clone());
        let calls: u32 = tools.iter().flat_map(BTreeMap::values).sum();
        prop_assert_eq!(&one["asked"]["own_calls"], calls);
        let named = one["asked"]["own_tools"].as_array().unwrap();
        let by_name: u64 = named.iter().filter_map(|tool| tool["calls"].as_u64()).sum();
        prop_assert_eq!(by_name, u64::from(calls));
    }
}
