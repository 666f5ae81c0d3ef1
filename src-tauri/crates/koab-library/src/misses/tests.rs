use super::*;
use koab_core::log::LevelLog;
use serde_json::json;

#[test]
fn a_log_from_elsewhere_tells_a_miss_by_the_key_in_its_error() {
    let key = "a".repeat(64);
    let call = |error: Value, success: bool| json!({ "step": 1, "tool_name": "A_b", "arguments": {}, "success": success, "error": error });
    let log = json!({ "results": [{ "task_id": "L1-001", "tool_calls": [
        call(json!(format!("Cache miss for A_b ({key}): seed the cache first")), false),
        call(json!(format!("Cache miss for C_d ({key})")), false),
        call(json!(format!("A_b: {}", "A".repeat(64))), false),
        call(json!(format!("A_b: {key}0")), false),
        call(json!("HTTP 500 of A_b"), false),
        call(Value::Null, true),
        { "step": 1, "tool_name": "A_b", "success": false, "not_recorded": true },
    ] }] });
    let log = LevelLog::read_as(Level::L1, &log).expect("a log");
    let told: Vec<bool> = log.tasks[0].calls.iter().map(says_not_recorded).collect();
    assert_eq!(told, [true, false, false, false, false, false, true]);
}
