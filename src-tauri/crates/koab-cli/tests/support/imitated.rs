//! A small pack and imitations of the services behind its tools.

use super::http::{Local, Request};
use super::{Koab, Ran, ran};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Keys of the imitated services; their values are `canary-` and the name.
pub const KEYS: [&str; 5] =
    ["Directions_Client_ID", "Directions_Client_Secret", "KAKAO_REST_API_KEY", "LS_APP_KEY", "LS_APP_SECRET"];
const TOOLS: [&str; 4] = ["AddressToCoord_kakao", "CryptoPrice_bithumb", "Directions_naver", "OrderBook_ls"];

/// Writes a pack of these tasks, by level, with these records: tool and arguments.
pub fn write_pack(folder: &Path, levels: &[(&str, Value)], records: &[(&str, Value)]) {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tasks/tools");
    let catalog: Vec<Value> = TOOLS
        .iter()
        .map(|tool| {
            serde_json::from_str(&fs::read_to_string(tools.join(format!("{tool}.json"))).unwrap()).unwrap()
        })
        .collect();
    fs::create_dir_all(folder.join("tasks")).unwrap();
    for (level, tasks) in levels {
        fs::write(folder.join(format!("tasks/{level}.json")), tasks.to_string()).unwrap();
    }
    fs::write(folder.join("tool_catalog.json"), json!(catalog).to_string()).unwrap();
    for (at, (tool, args)) in records.iter().enumerate() {
        // No key of the current catalog: the record is found by its arguments.
        let key = format!("{at:064x}");
        let place = folder.join(format!("cache/{tool}/00"));
        fs::create_dir_all(&place).unwrap();
        let record = json!({ "key": key, "tool": tool, "created_at": "2025-10-20T11:23:21.000001",
            "input_params": args, "raw_args": args, "data": { "recorded": true } });
        fs::write(place.join(format!("{key}.json")), record.to_string()).unwrap();
    }
}

/// A task of L1 or L3 with these golden calls, one after the other.
pub fn task(id: &str, level: u32, calls: &[(&str, Value)]) -> Value {
    let golden: Vec<Value> = calls.iter().map(|(tool, args)| json!({ "tool": tool, "args": args })).collect();
    json!({ "task_id": id, "instruction": format!("찾아 줘 ({id})"), "task_level": level, "task_category": "Single",
        "golden_action": golden, "resp_schema": { "type": "string" } })
}

/// A workspace with such a pack as the active one.
pub fn workspace(levels: &[(&str, Value)], records: &[(&str, Value)]) -> Koab {
    let koab = Koab::new();
    let folder = tempfile::tempdir().unwrap();
    write_pack(folder.path(), levels, records);
    koab.ok(&["pack", "import", &folder.path().display().to_string(), "--use"]);
    koab
}

/// NAVER Maps, Kakao, Bithumb and LS at one address. Bithumb knows no market.
pub fn services() -> Local {
    Local::start(answer)
}

/// What these services say.
pub fn answer(request: &Request) -> (u16, Value) {
    let path = request.line.split(' ').nth(1).unwrap_or_default();
    let body = match path.split('?').next().unwrap_or_default() {
        "/v2/local/search/address.json" => {
            json!({ "documents": [{ "address_name": "부산", "x": "129.1", "y": "35.1", "quoting": "canary-KAKAO_REST_API_KEY" }] })
        }
        "/v1/ticker" => json!({ "error": { "name": 404, "message": "Code not found" } }),
        "/map-direction/v1/driving" => json!({ "code": 0, "route": { "traoptimal": [] } }),
        "/oauth2/token" => json!({ "access_token": "canary-token", "expires_in": 86400 }),
        "/stock/market-data" => {
            json!({ "t1101OutBlock": { "price": 1, "quoting": "canary-token canary-LS_APP_KEY" }, "rsp_cd": "00000" })
        }
        _ => return (404, json!({ "message": "no such path" })),
    };
    (200, body)
}

/// `koab` with these words, these services at that address, and these keys and no others.
pub fn command(koab: &Koab, address: &str, keys: &[&str], words: &[&str]) -> Command {
    let mut command = koab.command(words);
    for key in KEYS {
        command.env_remove(key);
    }
    for service in ["KAKAO_LOCAL", "BITHUMB", "LS_SECURITIES", "NAVER_MAPS"] {
        command.env(format!("KOAB_{service}_URL"), address);
    }
    for key in keys {
        command.env(key, format!("canary-{key}"));
    }
    command
}

/// Runs it to its end.
pub fn asking(koab: &Koab, address: &str, keys: &[&str], words: &[&str]) -> Ran {
    ran(command(koab, address, keys, words).output().unwrap())
}

/// Every file under a folder that holds this text.
pub fn holding(folder: &Path, text: &[u8], found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            holding(&path, text, found);
        } else if fs::read(&path).unwrap().windows(text.len()).any(|window| window == text) {
            found.push(path.display().to_string());
        }
    }
}
