//! Implements `koab offline`.

use crate::CommandEnd;
use crate::args::egress::OfflineCommand;
use crate::output::Output;
use koab_api::{Api, OfflineForced, OfflineView, WireError};
use koab_core::text;

pub(crate) fn offline(
    api: &Api,
    command: Option<OfflineCommand>,
    output: Output,
) -> Result<CommandEnd, WireError> {
    let view = match command {
        Some(OfflineCommand::On) => api.workspace.offline_set(true)?,
        Some(OfflineCommand::Off) => api.workspace.offline_set(false)?,
        Some(OfflineCommand::Status) | None => api.workspace.offline(),
    };
    output.result(&view, || described(view, output));
    Ok(CommandEnd::Done)
}

fn described(view: OfflineView, output: Output) -> String {
    let lang = output.lang;
    let state = match (view.on, view.kept) {
        (false, _) => lang.text(text!("off: requests go to the servers that you named")),
        (true, true) => lang.text(text!("on: nothing leaves this computer (off again: koab offline off)")),
        (true, false) => lang.text(text!("on: nothing leaves this computer")),
    };
    let forced = view.forced.map(|forced| match forced {
        OfflineForced::Option => lang.text(text!("--offline is set")),
        OfflineForced::Environment => lang.text(text!("KOAB_OFFLINE is set, which overrides the switch")),
    });
    let name = lang.text(text!("offline"));
    match forced {
        Some(forced) => format!("{name} {state}\n{forced}"),
        None => format!("{name} {state}"),
    }
}
