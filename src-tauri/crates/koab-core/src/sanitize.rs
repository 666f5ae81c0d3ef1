//! Removes the parts of a tool's answer that a model does not need (`docs/spec/tools.md` §6).
//!
//! A rule is chosen, as in the published code, by a substring of the tool's name, and only the
//! first matching rule is applied. There is one difference: an answer without the expected shape
//! (`route: null`) is returned unchanged, while the published code fails (§13 of the specification,
//! row 2).

use serde_json::Value;

/// Maximum number of entries of a market list that a model sees.
pub const MAX_MARKETS: usize = 20;

/// Shortens `answer` for the model. Returns whether anything was removed.
pub fn sanitize(tool: &str, answer: &mut Value) -> bool {
    if tool.contains("Directions_naver") {
        routes(answer)
    } else if tool.contains("Route_tmap") {
        let features = answer.get_mut("features").and_then(Value::as_array_mut);
        features.is_some_and(|features| drop_fields(features, &["geometry"]))
    } else if tool.contains("POISearch_tmap") {
        let places = answer.pointer_mut("/searchPoiInfo/pois/poi").and_then(Value::as_array_mut);
        places.is_some_and(|places| drop_fields(places, &["newAddressList", "evChargers"]))
    } else if tool.contains("MarketList_") {
        markets(answer)
    } else {
        false
    }
}

fn routes(answer: &mut Value) -> bool {
    let Some(options) = answer.get_mut("route").and_then(Value::as_object_mut) else {
        return false;
    };
    let mut cut = false;
    for routes in options.values_mut().filter_map(Value::as_array_mut) {
        cut |= drop_fields(routes, &["path", "section"]);
    }
    cut
}

fn markets(answer: &mut Value) -> bool {
    let list = match answer {
        Value::Array(list) => list,
        Value::Object(fields) => {
            let field = if fields.contains_key("data") { "data" } else { "markets" };
            let Some(list) = fields.get_mut(field).and_then(Value::as_array_mut) else {
                return false;
            };
            list
        }
        _ => return false,
    };
    let cut = list.len() > MAX_MARKETS;
    list.truncate(MAX_MARKETS);
    cut
}

fn drop_fields(items: &mut [Value], fields: &[&str]) -> bool {
    let mut cut = false;
    for item in items.iter_mut().filter_map(Value::as_object_mut) {
        for field in fields {
            // Keeps the order of what stays, since the model sees it.
            cut |= item.shift_remove(*field).is_some();
        }
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_are_cut_by_tool_name() {
        let long: Vec<u32> = (0..25).collect();
        let short: Vec<u32> = (0..20).collect();
        for (tool, before, after) in [
            (
                "Directions_naver",
                json!({"route": {"traoptimal": [{"summary": 1, "path": [], "guide": 2, "section": []}], "x": 1}}),
                json!({"route": {"traoptimal": [{"summary": 1, "guide": 2}], "x": 1}}),
            ),
            ("Directions_naver", json!({"code": 1, "route": null}), json!({"code": 1, "route": null})),
            ("_directions", json!({"route": {"a": [{"path": 1}]}}), json!({"route": {"a": [{"path": 1}]}})),
            (
                "CarRoute_tmap",
                json!({"features": [{"geometry": 1, "x": 2}, 3]}),
                json!({"features": [{"x": 2}, 3]}),
            ),
            ("WalkRoute_tmap", json!({"error_code": "E"}), json!({"error_code": "E"})),
            (
                "POISearch_tmap",
                json!({"searchPoiInfo": {"pois": {"poi": [{"a": 1, "evChargers": {}, "newAddressList": {}, "b": 2}]}}}),
                json!({"searchPoiInfo": {"pois": {"poi": [{"a": 1, "b": 2}]}}}),
            ),
            ("MarketList_upbit", json!(long), json!(short)),
            (
                "MarketList_bithumb",
                json!({"data": long, "markets": long}),
                json!({"data": short, "markets": long}),
            ),
            ("MarketList_bithumb", json!({"markets": long}), json!({"markets": short})),
            ("MarketList_bithumb", json!("text"), json!("text")),
            (
                "WebSearch_naver",
                json!({"features": [{"geometry": 1}]}),
                json!({"features": [{"geometry": 1}]}),
            ),
        ] {
            let mut answer = before.clone();
            let cut = sanitize(tool, &mut answer);
            assert_eq!(answer, after, "{tool} {before}");
            assert_eq!(cut, before != after, "{tool}: says whether anything was cut");
        }
    }
}
