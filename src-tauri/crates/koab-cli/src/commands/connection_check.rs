//! Implements `koab models check`.

use crate::CommandEnd;
use crate::output::{Columns, Output, or_dash};
use koab_api::{Api, ConnectionHealth, ConnectionState, WireError, local_minute};
use koab_core::sentence::Language;
use koab_core::{say, text};
use serde_json::json;

/// Result of the check of one connection.
struct Row {
    name: String,
    result: Result<ConnectionHealth, WireError>,
}

pub(crate) async fn check(api: &Api, names: Vec<String>, output: Output) -> Result<CommandEnd, WireError> {
    let connections = api.models.connections()?;
    // A misspelt name is found before anything is sent.
    for name in &names {
        if !connections.iter().any(|one| one.name.eq_ignore_ascii_case(name.trim())) {
            return Err(WireError::not_found(say!(
                "there is no connection {name}; `koab models connections` lists them"
            )));
        }
    }
    let names = if names.is_empty() { connections.into_iter().map(|one| one.name).collect() } else { names };
    let results = api.models.connections_check(&names).await;
    let rows: Vec<Row> = names.into_iter().zip(results).map(|(name, result)| Row { name, result }).collect();
    let document: Vec<_> = rows
        .iter()
        .map(|row| match &row.result {
            Ok(health) => json!(health),
            Err(error) => json!({ "name": row.name, "error": error }),
        })
        .collect();
    output.result(&document, || table(&rows, output.lang));
    let is_well = |row: &Row| {
        let state = row.result.as_ref().map(|health| health.state);
        matches!(state, Ok(ConnectionState::Well | ConnectionState::NoCheck))
    };
    Ok(if rows.iter().all(is_well) { CommandEnd::Done } else { CommandEnd::NotDone })
}

fn table(rows: &[Row], lang: Language) -> String {
    if rows.is_empty() {
        return lang.text(text!("no connections; make one with `koab models connect`")).to_owned();
    }
    let health = |row: &Row| row.result.as_ref().ok().cloned();
    Columns::new(rows, lang)
        .id(text!("name"), |row| &row.name)
        .column(text!("state"), |row| match &row.result {
            Ok(health) => state(health.state, lang),
            Err(_) => lang.text(text!("not checked")),
        })
        .column(text!("answer"), |row| {
            or_dash(health(row).and_then(|health| health.latency_ms).map(|ms| format!("{ms} ms")))
        })
        .column(text!("models"), |row| or_dash(health(row).and_then(|health| health.listed)))
        .column(text!("last success"), |row| {
            or_dash(health(row).and_then(|health| health.last_success_ms).map(local_minute))
        })
        .prose(text!("remedy"), |row| match &row.result {
            Ok(health) => match (&health.remedy, &health.detail) {
                (Some(remedy), Some(detail)) => format!("{} ({})", lang.say(remedy), lang.say(detail)),
                (Some(remedy), None) => lang.say(remedy),
                (None, _) => String::new(),
            },
            Err(error) => lang.say(&error.message),
        })
        .text()
}

/// Word for a state.
pub(super) fn state(state: ConnectionState, lang: Language) -> &'static str {
    lang.text(match state {
        ConnectionState::Unchecked => text!("not checked"),
        ConnectionState::Well => text!("works"),
        ConnectionState::Address => text!("address not reached"),
        ConnectionState::Key => text!("key refused or missing"),
        ConnectionState::Protocol => text!("wrong protocol"),
        ConnectionState::Model => text!("model unknown"),
        ConnectionState::Server => text!("server busy or faulty"),
        ConnectionState::NoCheck => text!("cannot be checked"),
    })
}
