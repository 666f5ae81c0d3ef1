//! Implements `koab egress`.

use crate::CommandEnd;
use crate::args::egress::EgressCommand;
use crate::output::{Columns, Output};
use koab_api::{Api, EgressView, Purpose, WireError};
use koab_core::sentence::Language;
use koab_core::{say, text};

pub(crate) fn egress(api: &Api, command: EgressCommand, output: Output) -> Result<CommandEnd, WireError> {
    match command {
        EgressCommand::List { since, limit } => {
            let view = api.workspace.egress_view(since.as_deref(), limit)?;
            output.result(&view, || listed(&view, output.lang));
        }
        EgressCommand::Clear { yes } => {
            if !yes {
                let there = api.workspace.egress_view(None, 0)?.requests;
                return Err(WireError::bad_request(say!(
                    "this removes the log of {there} requests for good; confirm with --yes"
                )));
            }
            let cleared = api.workspace.egress_clear()?;
            output.result(&cleared, || {
                format!("{}: {}", output.lang.text(text!("requests removed from the log")), cleared.requests)
            });
        }
    }
    Ok(CommandEnd::Done)
}

fn listed(view: &EgressView, lang: Language) -> String {
    let foot = lang.text(text!(
        "Requests of scenario containers and of your browser are not listed, because koab does not send them."
    ));
    if view.requests == 0 {
        let nothing = lang.text(text!("Nothing has left this computer."));
        return format!("{nothing}\n{foot}");
    }
    let mut text = Columns::new(&view.rows, lang)
        .column(text!("time (UTC)"), |row| row.from.get(..19).unwrap_or(&row.from).replace('T', " "))
        .id(text!("host"), |row| &row.host)
        .prose(text!("purpose"), |row| purpose(row.purpose, lang))
        .column(text!("requests"), |row| row.requests)
        .column(text!("refused"), |row| {
            Some(row.refused)
                .filter(|refused| *refused > 0)
                .map_or_else(String::new, |refused| refused.to_string())
        })
        .text();
    for (count, what) in [
        (view.left_out, text!("older lines left out (more with --limit)")),
        (view.unreadable, text!("lines that cannot be read")),
    ] {
        if count > 0 {
            text.push_str(&format!("{}: {count}\n", lang.text(what)));
        }
    }
    format!("{text}\n{foot}")
}

fn purpose(purpose: Purpose, lang: Language) -> &'static str {
    match purpose {
        Purpose::Model => lang.text(text!("model")),
        Purpose::Judge => lang.text(text!("judge")),
        Purpose::Scenario => lang.text(text!("scenario's model")),
        Purpose::Pack => lang.text(text!("pack pull")),
        Purpose::Archive => lang.text(text!("archive", "a purpose")),
        Purpose::Weights => lang.text(text!("model pull")),
        Purpose::Benchmark => lang.text(text!("benchmark")),
        Purpose::Service => lang.text(text!("tool's service")),
        Purpose::Page => lang.text(text!("page")),
        Purpose::Collector => lang.text(text!("collector")),
        Purpose::Engine => lang.text(text!("container engine")),
        Purpose::Image => lang.text(text!("container image")),
        Purpose::Link => lang.text(text!("link")),
        Purpose::Update => lang.text(text!("update")),
    }
}
