//! Implements `koab show`: finds out what a name is, and shows it as its own command does.

use super::{fork, names, pack, report, runs};
use crate::CommandEnd;
use crate::args::name::RunName;
use crate::args::pack::PackCommand;
use crate::args::runs::RunsCommand;
use crate::args::show::ShowArgs;
use crate::output::Output;
use koab_api::{Api, ErrorCode, WireError};
use koab_core::nearest::only_beginning;

pub(crate) async fn show(api: &Api, args: ShowArgs, output: Output) -> Result<CommandEnd, WireError> {
    let ShowArgs { name, problems } = args;
    let library = &api.runs.library;
    // The whole name of a report is first, since a report's name is a word of one folder.
    if library.report_folder(&name).is_ok() {
        return show_report(api, &name, problems, output);
    }
    if name == "last" || library.run_meant(&name).is_ok() {
        let of = RunName { run: name };
        return runs::runs(api, RunsCommand::Show { of, problems }, output).await;
    }
    let fork_id = name.strip_prefix("fork:").unwrap_or(&name);
    if api.runs.fork_show(fork_id).is_ok() {
        fork::show(api, fork_id, output)?;
        return Ok(CommandEnd::Done);
    }
    // Without the version, which a table shows behind the name.
    let pack_name = name.split_once('@').map_or(name.as_str(), |(pack, _)| pack);
    if let Some(known) = [name.as_str(), pack_name].into_iter().find(|one| api.packs.show(Some(*one)).is_ok())
    {
        return pack::pack(api, PackCommand::Show { name: Some(known.to_owned()) }, output).await;
    }
    // A published report is also found by the name of its run, which may not be here.
    if library.report_id(&name).is_ok() || matches!(library.report_show(&name), Ok(Some(_))) {
        return show_report(api, &name, problems, output);
    }
    let ids = names::report_ids(api);
    if let Some(id) = only_beginning(&name, ids.iter().map(String::as_str)) {
        return show_report(api, id, problems, output);
    }
    match names::run_id(api, &name, output) {
        Ok(run) => runs::runs(api, RunsCommand::Show { of: RunName { run }, problems }, output).await,
        Err(error) if error.code == ErrorCode::NotFound => Err(names::nothing(api, &name)),
        Err(error) => Err(error),
    }
}

fn show_report(api: &Api, name: &str, problems: bool, output: Output) -> Result<CommandEnd, WireError> {
    report::show(api, name, problems, output)?;
    output.next(&format!("koab report atlas {name}"));
    Ok(CommandEnd::Done)
}
