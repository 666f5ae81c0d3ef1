//! Implements `koab agents`.

use super::interrupt::on_end;
use crate::CommandEnd;
use crate::args::agents::AgentsCommand;
use crate::output::{Columns, Output, or_dash};
use koab_api::agents::{self, AgentCheck};
use koab_api::{Api, WireError};
use koab_core::sentence::Language;
use koab_core::text;
use koab_mcp::bridge::Bridge;
use koab_mcp::stdio;
use serde_json::json;
use std::path::Path;

pub(crate) async fn agents(
    api: &Api,
    command: AgentsCommand,
    output: Output,
) -> Result<CommandEnd, WireError> {
    match command {
        AgentsCommand::List => list(api, output).await,
        AgentsCommand::Show { agent } => show(&agent, output),
        AgentsCommand::Check { agent, native } => check(api, &agent, native, output).await,
        AgentsCommand::Image { agent, base } => image(api, &agent, base.as_deref(), output).await,
        AgentsCommand::New { from, to } => new(&from, &to, output),
        AgentsCommand::Bridge => bridge().await,
    }
}

async fn list(api: &Api, output: Output) -> Result<CommandEnd, WireError> {
    let agents = agents::list(api.workspace.home(), api.workspace.gate()).await?;
    output.result(&json!({ "agents": agents }), || {
        Columns::new(&agents, output.lang)
            .id(text!("agent"), |agent| agent.name.clone())
            .column(text!("kind"), |agent| agent.kind.clone())
            .column(text!("wire"), |agent| or_dash(agent.wire.clone()))
            .column(text!("tried with"), |agent| or_dash(agent.verified.clone()))
            .column(text!("in a container"), |agent| {
                let contained = if agent.contained { text!("yes") } else { text!("no") };
                output.lang.text(contained).to_owned()
            })
            .column(text!("last check"), |agent| {
                let outcome = agent
                    .checked
                    .as_ref()
                    .map(|last| if last.passed { text!("passed") } else { text!("failed") });
                or_dash(outcome.map(|outcome| output.lang.text(outcome)))
            })
            .prose(text!("install"), |agent| agent.install.clone().unwrap_or_default())
            .text()
    });
    Ok(CommandEnd::Done)
}

fn show(agent: &str, output: Output) -> Result<CommandEnd, WireError> {
    let definition = agents::open(agent)?;
    output.result(&json!(definition), || {
        let text = serde_json::to_string_pretty(&definition).unwrap_or_default();
        format!("{text}\n")
    });
    Ok(CommandEnd::Done)
}

async fn image(api: &Api, agent: &str, base: Option<&str>, output: Output) -> Result<CommandEnd, WireError> {
    let definition = agents::open(agent)?;
    let cancel = on_end();
    let mut report_line = |line: &str| output.remark(line);
    let (home, gate) = (api.workspace.home(), api.workspace.gate());
    let built = agents::build_image(&definition, base, home, gate, &cancel, &mut report_line).await?;
    output.result(&json!(built), || {
        format!(
            "{}: {}\n{}: {}\n",
            output.lang.text(text!("image")),
            built.image,
            output.lang.text(text!("its hash")),
            built.id
        )
    });
    Ok(CommandEnd::Done)
}

async fn check(api: &Api, agent: &str, native: bool, output: Output) -> Result<CommandEnd, WireError> {
    let checked = api.runs.agent_check(agent, native).await?;
    output.result(&json!(checked), || text(&checked, output.lang));
    Ok(if checked.passed { CommandEnd::Done } else { CommandEnd::NotDone })
}

fn text(checked: &AgentCheck, lang: Language) -> String {
    let yes = |is: bool| lang.text(if is { text!("yes") } else { text!("no") });
    let seconds = |time: Option<f64>| or_dash(time.map(|time| format!("{time:.1} s")));
    let rows = [
        (text!("agent"), checked.name.clone()),
        (text!("version"), or_dash(checked.version.clone())),
        (text!("in a container"), yes(checked.contained).to_owned()),
        (text!("first model call after"), seconds(checked.startup_s)),
        (text!("seconds in all"), seconds(Some(checked.seconds))),
        (text!("wire"), or_dash(checked.wire.clone())),
        (text!("tool offered as"), or_dash(checked.offered_as.clone())),
        (text!("offered at once"), yes(checked.offered_at_once).to_owned()),
        (text!("call arrived"), yes(checked.call_arrived).to_owned()),
        (text!("answer letter for letter"), yes(checked.answer_equal).to_owned()),
        (text!("continues after failed calls"), or_dash(checked.goes_on_after_error.map(yes))),
        (text!("side calls"), checked.side_calls.to_string()),
        (text!("own tools"), or_dash(Some(checked.own_tools.join(", ")).filter(|names| !names.is_empty()))),
        (
            text!("hosts asked for, none reached"),
            or_dash(Some(checked.hosts_asked_for.join(", ")).filter(|hosts| !hosts.is_empty())),
        ),
        (text!("left running"), yes(checked.outlived).to_owned()),
    ];
    let mut text = String::new();
    for (label, value) in rows {
        text.push_str(&format!("{}: {value}\n", lang.text(label)));
    }
    for trap in &checked.traps {
        text.push_str(&format!("! {}\n", lang.say(trap)));
    }
    text
}

fn new(from: &str, to: &Path, output: Output) -> Result<CommandEnd, WireError> {
    let files = agents::copy(from, to)?;
    output.result(&json!({ "written": files }), || {
        format!("{}: {}\n", output.lang.text(text!("written")), files.join(", "))
    });
    Ok(CommandEnd::Done)
}

async fn bridge() -> Result<CommandEnd, WireError> {
    let unusable = |why| WireError::bad_request(why);
    let url = std::env::var("KOAB_MCP_URL").map_err(|_| {
        unusable(text!("the environment variable KOAB_MCP_URL is to name the server's address").into())
    })?;
    let token = std::env::var("KOAB_MCP_TOKEN").ok();
    let bridge = Bridge::to(&url, token.as_deref()).map_err(unusable)?;
    let (mut input, mut output) = stdio::streams();
    bridge.serve(&mut input, &mut output).await.map_err(WireError::internal)?;
    Ok(CommandEnd::Done)
}
