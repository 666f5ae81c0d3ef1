//! `koab`, the command line. It parses arguments, calls `koab-api`, prints the result and exits
//! with a documented exit code.
#![forbid(unsafe_code)]

mod args;
// The message catalogue is collected only in debug builds.
#[cfg(all(test, debug_assertions))]
mod catalogue_tests;
mod command_end;
mod commands;
#[cfg(test)]
mod guide_tests;
mod help;
mod job_progress;
mod next;
mod output;
mod progress;
mod pull_progress;
mod render;
mod scenario_progress;
mod wrong_words;

pub(crate) use command_end::CommandEnd;

use args::Cli;
use clap::FromArgMatches as _;
use koab_api::{Api, ErrorCode, WireError};
use koab_core::say;
use output::Output;
use std::process::ExitCode;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Stack size of the threads that run commands. Main threads usually have the same size.
const STACK_BYTES: usize = 8 << 20;

/// Maximum wait for reads and writes in the background before the program ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    output::clean_panics();
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let asked_language = help::asked_language(&words).unwrap_or_else(koab_api::system_language);
    let without_workspace = Output { json: false, quiet: false, lang: asked_language };
    if help::asks_for_all(&words) {
        help::print_all(without_workspace);
        return ExitCode::SUCCESS;
    }
    let matches = help::command(asked_language).try_get_matches();
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) => return print_clap_error(&error, &words, without_workspace),
    };
    if !cli.wide {
        output::fit_terminal();
    }
    let worker = commands::run::worker_home(cli.command.as_ref());
    let api = match &worker {
        Ok(Some(worker)) => Api::open(Some(worker.path().to_owned())),
        _ => Api::open(cli.home),
    };
    if let (true, Ok(api)) = (cli.offline, &api) {
        api.workspace.force_offline();
    }
    // The language that the user chose in the window applies here, too.
    let set = || api.as_ref().map_or_else(|_| koab_api::system_language(), |api| api.workspace.language());
    let lang = cli.lang.unwrap_or_else(set);
    let output = Output { json: cli.json, quiet: cli.quiet, lang };
    let outcome = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(STACK_BYTES)
        .build()
        .map_err(WireError::internal)
        .and_then(|runtime| {
            // The command runs on a worker thread. Otherwise each event of a run would have to wake
            // the main thread.
            let command = runtime.spawn(async move {
                let api = api?;
                // Held until the command ends, because it contains the workspace.
                let _worker = worker?;
                match cli.command {
                    Some(command) => {
                        let next = next::after(&command);
                        let end = commands::dispatch(&api, command, output).await?;
                        if let (Some(next), CommandEnd::Done | CommandEnd::SomeFailed) = (next, end) {
                            output.next(&output.lang.say(&next));
                        }
                        Ok(end)
                    }
                    None => commands::window::alone(&api),
                }
            });
            let outcome = runtime.block_on(command);
            // A client that does not read would block a write to standard output for ever. All
            // results are on disk by now.
            runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
            outcome.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
        });
    if let Some(error) = output::undelivered() {
        let sentence = lang.say(&say!("the result could not be written to standard output: {error}"));
        output.sentence(&sentence);
        return ExitCode::FAILURE;
    }
    match outcome {
        Ok(CommandEnd::Done) => ExitCode::SUCCESS,
        Ok(CommandEnd::SomeFailed) => ExitCode::from(3),
        Ok(CommandEnd::GateFailed) => ExitCode::from(4),
        Ok(CommandEnd::Inconclusive) => ExitCode::from(5),
        Ok(CommandEnd::Cancelled) => ExitCode::from(130),
        // EX_TEMPFAIL of sysexits.h. Schedulers then start the job again.
        Ok(CommandEnd::Again) => ExitCode::from(75),
        Ok(CommandEnd::NotDone) => ExitCode::FAILURE,
        Err(error) => {
            output.failure(&error);
            match error.code {
                ErrorCode::BadRequest => ExitCode::from(2),
                ErrorCode::Cancelled => ExitCode::from(130),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

/// Prints the requested help, or the fault in the arguments.
///
/// The message quotes the arguments, which a shell may have expanded from file names. If they
/// contain anything that a terminal would obey, the message is escaped and printed without colours.
fn print_clap_error(error: &clap::Error, words: &[String], output: Output) -> ExitCode {
    if let Some(answer) = wrong_words::answer(error, words) {
        output.sentence(&output.lang.say(&answer));
        return ExitCode::from(2);
    }
    if words.iter().any(|word| output::clean(word) != *word) {
        output::say(error.to_string().trim_end());
    } else {
        // Printed by clap itself. A closed pipe is not a failure.
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
