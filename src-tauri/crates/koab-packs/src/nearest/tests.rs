use super::*;
use proptest::prelude::*;
use serde_json::json;

fn args(value: Value) -> NormalizedArgs {
    NormalizedArgs::from_record(value.as_object().expect("an object"))
}

#[test]
fn the_call_with_most_in_common_wins_and_what_differs_is_named() {
    let recorded = [
        json!({"query": "부산 맛집", "size": 5}),
        json!({"query": "서울 카페", "size": 10}),
        json!({"query": "서울 맛집", "size": 10, "sort": "date"}),
    ]
    .map(args);
    let (found, differing) =
        nearest(&args(json!({"query": "서울 맛집", "size": 10})), &recorded).expect("one");
    assert_eq!(found.as_value()["query"], "서울 카페");
    assert_eq!(differing, ["query"]);
    let (found, differing) =
        nearest(&args(json!({"query": "서울 맛집", "size": 3, "sort": "date"})), &recorded).expect("one");
    assert_eq!(found.as_value()["sort"], "date");
    assert_eq!(differing, ["size"]);
    assert!(nearest(&args(json!({})), &[]).is_none());
}

#[test]
fn the_first_of_calls_that_are_alike_is_named() {
    let recorded = [json!({"a": 1, "b": 2}), json!({"a": 2, "b": 1}), json!({"c": 1})].map(args);
    for (wanted, at, differing) in [
        (json!({"a": 1, "b": 1}), 0, vec!["b"]),
        (json!({"a": 2, "b": 2}), 0, vec!["a"]),
        (json!({"a": 2, "b": 1, "x": 0}), 1, vec!["x"]),
        (json!({"c": 2}), 0, vec!["a", "b", "c"]),
        (json!({"c": 1}), 2, vec![]),
    ] {
        let (found, named) = nearest(&args(wanted.clone()), &recorded).expect("one");
        assert!(std::ptr::eq(found, &raw const recorded[at]), "{wanted}: {:?}", found.as_value());
        assert_eq!(named, differing, "{wanted}");
    }
}

fn calls() -> impl Strategy<Value = Value> {
    let value = prop_oneof![
        (0..3_i64).prop_map(Value::from),
        "[가-나a-b]{0,3}".prop_map(Value::from),
        Just(Value::Null)
    ];
    proptest::collection::btree_map("[a-d]", value, 0..4)
        .prop_map(|fields| Value::Object(fields.into_iter().collect()))
}

proptest! {
    #![proptest_config(koab_draws::config(256))]

    /// A call that is recorded is its own nearest, and the names are those of the arguments that differ.
    #[test]
    fn names_of_what_differs_are_exact(wanted in calls(), recorded in proptest::collection::vec(calls(), 1..6)) {
        let is_recorded = recorded.contains(&wanted);
        let recorded: Vec<NormalizedArgs> = recorded.into_iter().map(args).collect();
        let (found, named) = nearest(&args(wanted.clone()), &recorded).expect("one");
        let found = found.as_value();
        let mut differing: Vec<&str> = ["a", "b", "c", "d"].into();
        differing.retain(|name| wanted.get(name) != found.get(name));
        prop_assert_eq!(&named, &differing);
        prop_assert!(!is_recorded || named.is_empty());
    }
}
