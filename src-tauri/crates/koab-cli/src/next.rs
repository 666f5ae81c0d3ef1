//! The command that a user most likely needs after another one.

use crate::args::Command;
use crate::args::agents::AgentsCommand;
use crate::args::cache::CacheCommand;
use crate::args::egress::OfflineCommand;
use crate::args::evaluate::EvaluateArgs;
use crate::args::judge::JudgeCommand;
use crate::args::keys::KeysCommand;
use crate::args::models::ModelsCommand;
use crate::args::pack::PackCommand;
use crate::args::report::{CompareArgs, ReportCommand};
use crate::args::run::RunArgs;
use crate::args::runs::RunsCommand;
use crate::args::scenario::ScenarioCommand;
use crate::args::submit::SubmitCommand;
use crate::args::trash::TrashCommand;
use koab_core::say;
use koab_core::sentence::Sentence;

/// The next command after a successful one, or a sentence about it. `None` where the result itself
/// names it, or nothing follows.
pub(crate) fn after(command: &Command) -> Option<Sentence> {
    match command {
        Command::Run(args) => after_run(args),
        Command::Evaluate(args) => after_score(args),
        Command::Compare(args) => after_compare(args),
        Command::Import(_) => known("koab report list"),
        Command::Gate(args) => args.dry_run.then(for_real),
        Command::Sweep(args) => args.dry_run.then(for_real),
        Command::Judge { command } => after_judge(command),
        Command::Runs { command } => after_runs(command),
        Command::Report { command } => after_report(command),
        Command::Trash { command } => after_trash(command),
        Command::Submit { command } => after_submit(command),
        Command::Pack { command } => after_pack(command),
        Command::Cache { command } => after_cache(command),
        Command::Models { command } => after_models(command),
        Command::Keys { command } => after_keys(command),
        Command::Agents { command } => after_agents(command),
        Command::Scenario { command } => after_scenario(command),
        Command::Offline { command: Some(OfflineCommand::On) } => known("koab egress list"),
        Command::Doctor => known("koab run --model baseline/golden --evaluate"),
        // What these show is known only when it is shown, or they last until they are ended.
        Command::Show(_)
        | Command::Find(_)
        | Command::Open { .. }
        | Command::Serve(_)
        | Command::Mcp(_)
        | Command::Offline { .. }
        | Command::Egress { .. } => None,
    }
}

fn known(command: &str) -> Option<Sentence> {
    Some(Sentence::from(command))
}

fn named(command: &str, name: &str) -> Option<Sentence> {
    // A name with blanks is one word in the shell, too.
    let name = if name.contains(char::is_whitespace) { format!("\"{name}\"") } else { name.to_owned() };
    Some(Sentence::from(format!("{command} {name}")))
}

fn for_real() -> Sentence {
    say!("the same command without --dry-run")
}

fn after_run(args: &RunArgs) -> Option<Sentence> {
    if args.dry_run {
        return (!args.requests).then(for_real);
    }
    if args.on.is_some() {
        return known("koab runs show last");
    }
    // A score names the next command itself, and a part of a run is scored after the merge.
    if args.evaluate || args.adaptive.is_some() || args.shard.is_some() || args.no_save_logs {
        return None;
    }
    known("koab score last")
}

fn after_score(args: &EvaluateArgs) -> Option<Sentence> {
    let run = args.of.as_deref().or(args.run.as_deref()).unwrap_or("last");
    if args.dry_run {
        return Some(for_real());
    }
    if args.answers.is_some() {
        return args.save.as_ref().and_then(|_| known("koab report list"));
    }
    if args.on.is_some() { named("koab runs show", run) } else { None }
}

fn after_compare(args: &CompareArgs) -> Option<Sentence> {
    match args.of.reports.as_slice() {
        [one, other, ..] if !args.across => known(&format!("koab report atlas {one} {other} --by model")),
        _ => None,
    }
}

fn after_judge(command: &JudgeCommand) -> Option<Sentence> {
    match command {
        JudgeCommand::Panel => known("koab score last"),
        JudgeCommand::Again(args) if args.dry_run => Some(for_real()),
        JudgeCommand::Again(args) => named("koab judge lab", args.of.of.runs.first()?),
        JudgeCommand::Override(args) => named("koab score", &args.of.run),
        JudgeCommand::Queue(args) => named("koab judge answers", args.output.as_ref()?.to_str()?),
        JudgeCommand::Answers { .. } => known("koab judge queues"),
        JudgeCommand::Queues => known("koab judge reveal QUEUE"),
        JudgeCommand::Show { .. }
        | JudgeCommand::Plan(_)
        | JudgeCommand::Overrides(_)
        | JudgeCommand::Lab(_)
        | JudgeCommand::Reveal(_)
        | JudgeCommand::Estimate(_) => None,
    }
}

fn after_runs(command: &RunsCommand) -> Option<Sentence> {
    match command {
        RunsCommand::List => known("koab show last"),
        RunsCommand::Tag { .. } => known("koab runs list"),
        RunsCommand::Merge(of) => named("koab score", &of.run),
        RunsCommand::Cancel(of) | RunsCommand::Logs { of, .. } => named("koab runs show", &of.run),
        RunsCommand::Set(args) => named("koab runs show", &args.of.run),
        RunsCommand::Retry(args) => named("koab runs show", &args.of.run),
        RunsCommand::Fork(args) if args.dry_run => Some(for_real()),
        RunsCommand::Forks { .. } => known("koab runs fork-show ID"),
        RunsCommand::Fork(_) | RunsCommand::ForkShow { .. } => known("koab runs forks"),
        RunsCommand::ForkDelete { id, undo: false, .. } => named("koab runs fork-restore", id),
        RunsCommand::ForkDelete { id, .. } | RunsCommand::ForkRestore { id } => {
            named("koab runs fork-show", id)
        }
        RunsCommand::Restore { id } => named("koab runs show", id),
        // A run is shown with what its state needs, and a deletion names the way back.
        RunsCommand::Show { .. } | RunsCommand::Delete { .. } => None,
    }
}

fn after_report(command: &ReportCommand) -> Option<Sentence> {
    match command {
        ReportCommand::List => known("koab report show REPORT"),
        ReportCommand::Show { of, .. } => named("koab report atlas", &of.report),
        ReportCommand::Repetitions(of) => named("koab report show", &of.report),
        ReportCommand::Compare(args) => after_compare(args),
        ReportCommand::Matrix { .. } => known("koab compare REPORT REPORT"),
        ReportCommand::References { remove: true, .. } => known("koab report references --restore"),
        ReportCommand::References { .. } => known("koab compare REPORT --with-reference"),
        ReportCommand::Import(_) => known("koab report list"),
        ReportCommand::Restore { id } => named("koab report show", id),
        ReportCommand::Atlas(_)
        | ReportCommand::Export { .. }
        | ReportCommand::Combine { .. }
        | ReportCommand::Delete { .. } => None,
    }
}

fn after_trash(command: &TrashCommand) -> Option<Sentence> {
    match command {
        TrashCommand::List => known("koab trash restore ID"),
        TrashCommand::Restore(of) => named("koab show", &of.name),
        TrashCommand::Delete { .. } => known("koab trash list"),
        TrashCommand::Empty { .. } => None,
    }
}

fn after_submit(command: &SubmitCommand) -> Option<Sentence> {
    match command {
        SubmitCommand::Prepare(args) => match args.output.as_ref().or(args.folder.as_ref()) {
            Some(place) => named("koab submit validate", place.to_str()?),
            None => named("koab submit prepare -o FILE.koab", &args.of),
        },
        SubmitCommand::Bundle(args) => named("koab submit verify", args.output.to_str()?),
        SubmitCommand::Validate { .. } | SubmitCommand::Verify(_) | SubmitCommand::Key { .. } => None,
    }
}

fn after_pack(command: &PackCommand) -> Option<Sentence> {
    match command {
        PackCommand::List | PackCommand::Import { r#use: false, .. } => known("koab pack use NAME"),
        PackCommand::Show { .. } | PackCommand::Use { .. } | PackCommand::Import { .. } => {
            known("koab run --model PROVIDER/ID --dry-run")
        }
        PackCommand::Delete { .. } | PackCommand::Pull(_) => known("koab pack list"),
        PackCommand::Drafts => known("koab pack save NAME"),
        PackCommand::Save { name } => named("koab pack lint", name),
        PackCommand::Record(args) => named("koab pack replay", &args.name),
        PackCommand::Draft { .. }
        | PackCommand::Published { .. }
        | PackCommand::Verify { .. }
        | PackCommand::Export { .. }
        | PackCommand::Lint { .. }
        | PackCommand::Replay(_) => None,
    }
}

fn after_cache(command: &CacheCommand) -> Option<Sentence> {
    match command {
        CacheCommand::Stats => known("koab cache misses last"),
        CacheCommand::Misses(of) => named("koab cache fill --dry-run", &of.run),
        CacheCommand::Fill(args) if args.dry_run => Some(for_real()),
        CacheCommand::Fill(args) => named("koab run --misses-of", &args.of.run),
        CacheCommand::Lookup { .. }
        | CacheCommand::Time { .. }
        | CacheCommand::Overlay { .. }
        | CacheCommand::Export { .. }
        | CacheCommand::Snapshot { .. }
        | CacheCommand::Drift(_) => None,
    }
}

fn after_models(command: &ModelsCommand) -> Option<Sentence> {
    match command {
        ModelsCommand::List => known("koab models probe PROVIDER/ID"),
        ModelsCommand::Pull(args) if args.dry_run => Some(for_real()),
        ModelsCommand::Pull(args) => named("koab models doctor", args.repo.split('@').next()?),
        ModelsCommand::Add { path } => named("koab models doctor", path.to_str()?),
        ModelsCommand::Doctor(args) => named("koab run --evaluate --use-local --model", &args.name),
        ModelsCommand::Servers { .. } => known("koab models connect NAME --base-url URL"),
        ModelsCommand::Connections => known("koab models check"),
        ModelsCommand::Check { .. } => known("koab models probe NAME/MODEL"),
        ModelsCommand::Connect(args) => known(&format!("koab models probe {}/MODEL", args.name)),
        ModelsCommand::Probe { model, base_url: None } => named("koab run --evaluate --model", model),
        ModelsCommand::Probe { model, base_url: Some(url) } => {
            known(&format!("koab run --model {model} --base-url {url} --evaluate"))
        }
        ModelsCommand::Delete(_) => known("koab models list"),
        ModelsCommand::Disconnect { .. } => known("koab models connections"),
        ModelsCommand::Verify { .. } | ModelsCommand::Prices { .. } => None,
    }
}

fn after_keys(command: &KeysCommand) -> Option<Sentence> {
    match command {
        KeysCommand::List => known("koab keys set NAME"),
        KeysCommand::Import { path, yes: false, .. } => named("koab keys import --yes", path.to_str()?),
        KeysCommand::Set { .. } | KeysCommand::Delete { .. } | KeysCommand::Import { .. } => {
            known("koab keys list")
        }
    }
}

fn after_agents(command: &AgentsCommand) -> Option<Sentence> {
    match command {
        AgentsCommand::List => known("koab agents check NAME"),
        AgentsCommand::Show { agent } | AgentsCommand::Image { agent, .. } => {
            named("koab agents check", agent)
        }
        AgentsCommand::Check { agent, .. } => named("koab run --model PROVIDER/ID --agent", agent),
        AgentsCommand::New { to, .. } => named("koab agents check", to.to_str()?),
        AgentsCommand::Bridge => None,
    }
}

fn after_scenario(command: &ScenarioCommand) -> Option<Sentence> {
    match command {
        ScenarioCommand::Clone(_) => known("koab scenario run FILE"),
        ScenarioCommand::Run(_)
        | ScenarioCommand::Status { .. }
        | ScenarioCommand::Cancel { .. }
        | ScenarioCommand::Logs { .. }
        | ScenarioCommand::Worker(_)
        | ScenarioCommand::Tabulate(_)
        | ScenarioCommand::RemoveMissing { .. }
        | ScenarioCommand::Lint { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::after;
    use crate::args::Cli;
    use clap::Parser as _;

    #[test]
    fn what_comes_next_is_a_command() {
        let cases = [
            ("run --model baseline/golden", "koab score last"),
            ("run --model baseline/golden --dry-run", "the same command without --dry-run"),
            ("run --model baseline/golden --evaluate", ""),
            ("score last --dry-run", "the same command without --dry-run"),
            ("score last --no-judge", ""),
            ("compare a b", "koab report atlas a b --by model"),
            ("import .", "koab report list"),
            ("runs list", "koab show last"),
            ("runs merge last", "koab score last"),
            ("report list", "koab report show REPORT"),
            ("trash list", "koab trash restore ID"),
            ("trash restore a/1", "koab show a/1"),
            ("report show a", "koab report atlas a"),
            ("submit prepare last", "koab submit prepare -o FILE.koab last"),
            ("submit prepare last -o a.koab", "koab submit validate a.koab"),
            ("pack import . --use", "koab run --model PROVIDER/ID --dry-run"),
            ("cache misses last", "koab cache fill --dry-run last"),
            ("cache fill last", "koab run --misses-of last"),
            ("models connect lab --base-url http://a/v1", "koab models probe lab/MODEL"),
            ("models connections", "koab models check"),
            ("models check lab", "koab models probe NAME/MODEL"),
            ("models probe lab/a", "koab run --evaluate --model lab/a"),
            ("keys list", "koab keys set NAME"),
            ("judge queue last --by Mina -o a.csv", "koab judge answers a.csv"),
            ("offline on", "koab egress list"),
            ("doctor", "koab run --model baseline/golden --evaluate"),
        ];
        for (line, expected) in cases {
            let words = std::iter::once("koab").chain(line.split(' '));
            let cli = Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{line}: {error}"));
            let next = cli.command.as_ref().and_then(after).map(|next| next.to_string()).unwrap_or_default();
            assert_eq!(next, expected, "{line}");
            if next.starts_with("koab ") {
                Cli::try_parse_from(next.split(' ')).unwrap_or_else(|error| panic!("{next}: {error}"));
            }
        }
    }
}
