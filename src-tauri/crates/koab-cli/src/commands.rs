//! One module per subcommand. Each turns arguments into a call of the API and the result into text.

mod adaptive;
mod agents;
mod answers;
mod atlas;
mod bundle;
mod by_hand;
mod cache;
mod cache_drift;
mod cache_snapshot;
mod change;
mod connection_check;
mod connections;
mod doctor;
mod egress;
mod evaluate;
mod find;
mod fork;
mod gate;
mod import;
mod interrupt;
mod judge;
mod judge_lab;
mod keys;
mod levels;
pub(crate) mod local_models;
mod made_for;
mod mcp;
mod misses;
mod model_doctor;
mod models;
mod names;
mod offline;
mod output_file;
mod pack;
mod pack_draft;
mod pack_pull;
mod pack_record;
mod references;
mod remote;
mod repetitions;
mod report;
mod report_across;
mod report_compare;
mod report_pairs;
pub(crate) mod run;
mod runs;
mod scenario;
mod serve;
mod show;
mod submit;
mod sweep;
mod trash;
pub(crate) mod window;

use crate::CommandEnd;
use crate::args::Command;
use crate::output::Output;
use koab_api::{Api, WireError};

pub(crate) async fn dispatch(api: &Api, command: Command, output: Output) -> Result<CommandEnd, WireError> {
    // Standard input and output of `koab mcp` belong to its client.
    if !matches!(command, Command::Mcp(_)) {
        keys::offer_terminal(api, output.lang);
    }
    match command {
        Command::Run(args) => run::run(api, *args, output).await,
        Command::Evaluate(args) => evaluate::evaluate(api, *args, output).await,
        Command::Compare(args) => {
            report::compare_named(api, args, output)?;
            Ok(CommandEnd::Done)
        }
        Command::Import(args) => import::import(api, args, output).await,
        Command::Show(args) => show::show(api, args, output).await,
        Command::Gate(args) => gate::gate(api, *args, output).await,
        Command::Sweep(args) => sweep::sweep(api, args, output).await,
        Command::Judge { command } => judge::judge(api, command, output).await,
        Command::Runs { command } => runs::runs(api, command, output).await,
        Command::Report { command } => report::report(api, command, output).await,
        Command::Find(args) => find::find(api, args, output).await,
        Command::Trash { command } => trash::trash(api, command, output),
        Command::Submit { command } => submit::submit(api, command, output).await,
        Command::Pack { command } => pack::pack(api, command, output).await,
        Command::Cache { command } => cache::cache(api, command, output).await,
        Command::Models { command } => models::models(api, command, output).await,
        Command::Keys { command } => keys::keys(api, command, output).await,
        Command::Agents { command } => agents::agents(api, command, output).await,
        Command::Scenario { command } => scenario::scenario(api, command, output).await,
        Command::Open { what } => window::open(api, what.as_deref()),
        Command::Serve(args) => serve::serve(api, args, output).await,
        Command::Mcp(args) => mcp::mcp(api, &args).await,
        Command::Offline { command } => offline::offline(api, command, output),
        Command::Egress { command } => egress::egress(api, command, output),
        Command::Doctor => doctor::doctor(api, output).await,
    }
}
