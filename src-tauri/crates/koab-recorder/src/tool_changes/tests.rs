use super::*;
use serde_json::json;

fn server(tools: &[Value]) -> ServerForm {
    ServerForm { tools: tools.iter().map(Value::to_string).collect(), ..ServerForm::default() }
}

#[test]
fn every_difference_is_named_with_its_place() {
    let then = server(&[
        json!({"name": "a", "description": "A", "inputSchema": {"type": "object", "properties": {
            "x": {"type": "string", "enum": ["p", "q"]}, "gone": {}, "d": {"type": "number", "default": 1}}, "required": ["gone"]}}),
        json!({"name": "old", "description": "B", "inputSchema": {"type": "object"}}),
        json!({"name": "dead", "description": "C", "inputSchema": {"type": "object"}}),
        json!({"name": "same", "inputSchema": {"type": "object", "required": []}}),
    ]);
    let now = server(&[
        json!({"name": "a", "description": "A2", "inputSchema": {"type": "object", "properties": {
            "x": {"type": "string", "enum": ["p"]}, "d": {"type": "integer", "default": 2}, "new": {}}, "required": ["new"]}}),
        json!({"name": "renamed", "description": "B", "inputSchema": {"type": "object"}}),
        json!({"name": "fresh", "inputSchema": {"type": "object"}}),
        json!({"name": "same", "inputSchema": {"type": "object"}}),
    ]);
    let told: Vec<String> = changes(&then, &now)
        .iter()
        .map(|change| format!("{} {:?} {}", change.tool, change.kind, change.place))
        .collect();
    assert_eq!(
        told,
        [
            "a Description ",
            "a Required /properties/new",
            "a ParameterRemoved /properties/gone",
            "a ParameterAdded /properties/new",
            "a EnumNarrowed /properties/x/enum",
            "a Type /properties/d/type",
            "a Default /properties/d/default",
            "old Renamed renamed",
            "dead Removed ",
            "fresh Added ",
        ]
    );
}

/// What changed of one tool whose schema is this and then that.
fn of_schema(then: Value, now: Value) -> Vec<(ToolChangeKind, String)> {
    let tool = |schema: Value| server(&[json!({"name": "t", "description": "d", "inputSchema": schema})]);
    let found = changes(&tool(then), &tool(now));
    found.into_iter().map(|change| (change.kind, change.place)).collect()
}

#[test]
fn each_change_of_a_schema_has_its_kind_and_says_whether_clients_go_on() {
    use ToolChangeKind::{
        Default, EnumNarrowed, EnumWidened, Optional, ParameterAdded, ParameterRemoved, Required, Schema,
        Type,
    };
    let of = |inner: Value| json!({"type": "object", "properties": {"x": inner}});
    for (then, now, kind, place, is_compatible) in [
        (of(json!({"enum": [1]})), of(json!({"enum": [1, 2]})), EnumWidened, "/properties/x/enum", true),
        (of(json!({"enum": [1, 2]})), of(json!({"enum": [2]})), EnumNarrowed, "/properties/x/enum", false),
        (of(json!({"enum": [1]})), of(json!({"enum": [2, 3]})), EnumNarrowed, "/properties/x/enum", false),
        (of(json!({})), of(json!({"enum": [1]})), EnumNarrowed, "/properties/x/enum", false),
        (of(json!({"enum": [1]})), of(json!({})), EnumWidened, "/properties/x/enum", true),
        (of(json!({"type": "string"})), of(json!({"type": "number"})), Type, "/properties/x/type", true),
        (of(json!({"default": 1})), of(json!({"default": 2})), Default, "/properties/x/default", true),
        (of(json!({"minimum": 1})), of(json!({"minimum": 2})), Schema, "/properties/x/minimum", true),
        (
            of(json!({"items": {"type": "string"}})),
            of(json!({"items": {"type": "number"}})),
            Type,
            "/properties/x/items/type",
            true,
        ),
        (
            json!({"properties": {}}),
            json!({"properties": {"a/b~c": {}}}),
            ParameterAdded,
            "/properties/a~1b~0c",
            true,
        ),
        (
            json!({"properties": {"x": {}}}),
            json!({"properties": {}}),
            ParameterRemoved,
            "/properties/x",
            true,
        ),
    ] {
        assert_eq!(of_schema(then, now), [(kind, place.to_owned())]);
        assert_eq!(kind.is_compatible(), is_compatible, "{kind:?}");
    }
    let required = |names: Value| json!({"properties": {"x": {}, "y": {}}, "required": names});
    assert_eq!(
        of_schema(required(json!(["x"])), required(json!(["x", "y"]))),
        [(Required, "/properties/y".to_owned())]
    );
    assert_eq!(
        of_schema(required(json!(["x", "y"])), required(json!(["y"]))),
        [(Optional, "/properties/x".to_owned())]
    );
    assert!(Optional.is_compatible() && !Required.is_compatible());
    assert!(!ToolChangeKind::Removed.is_compatible() && !ToolChangeKind::Renamed.is_compatible());
}

#[test]
fn what_says_the_same_is_no_change() {
    for (then, now) in [
        (json!({"properties": {"x": {"default": 1}}}), json!({"properties": {"x": {"default": 1.0}}})),
        (json!({"description": "a", "title": "b"}), json!({"description": "c"})),
        (json!({"$schema": "a"}), json!({})),
        (json!({"required": ["x", "y"]}), json!({"required": ["y", "x"]})),
        (json!({"properties": {}}), json!({})),
    ] {
        assert_eq!(of_schema(then.clone(), now), [], "{then}");
    }
    // A schema that is none on one side is another one.
    assert_eq!(of_schema(json!(null), json!({})), [(ToolChangeKind::Schema, String::new())]);
}

#[test]
fn a_new_name_is_found_once_and_only_for_what_is_gone() {
    let tool = |name: &str| json!({"name": name, "description": "d", "inputSchema": {}});
    let told = |then: &[&str], now: &[&str]| -> Vec<String> {
        let of = |names: &[&str]| server(&names.iter().map(|name| tool(name)).collect::<Vec<_>>());
        let found = changes(&of(then), &of(now));
        found.iter().map(|change| format!("{} {:?} {}", change.tool, change.kind, change.place)).collect()
    };
    assert_eq!(told(&["a"], &["b"]), ["a Renamed b"]);
    assert_eq!(told(&["a", "b"], &["b"]), ["a Removed "], "b was there before");
    assert_eq!(told(&["a"], &["a", "b"]), ["b Added "]);
    assert_eq!(told(&["a", "b"], &["b", "a"]), [""; 0], "the order is no change");
    assert_eq!(told(&[], &[]), [""; 0]);
}
