//! `koab`: the command line. Reads words, calls `koab-api`, prints, and ends with the exit code of
//! its contract.
#![forbid(unsafe_code)]

mod args;
// Sentences are entered in builds for development only.
#[cfg(all(test, debug_assertions))]
mod catalogue_tests;
mod command_end;
mod commands;
#[cfg(test)]
mod guide_tests;
mod job_progress;
mod output;
mod progress;
mod pull_progress;
mod render;
mod scenario_progress;

pub(crate) use command_end::CommandEnd;

use args::Cli;
use clap::Parser as _;
use koab_api::{Api, ErrorCode, WireError};
use koab_core::say;
use output::Output;
use std::process::ExitCode;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Stack of a thread that commands run on: that of a main thread.
const STACK_BYTES: usize = 8 << 20;

/// How long the end waits for what is still read or written beside the command.
const LAST_WRITES: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    output::tell_panics();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misread(&error),
    };
    if !cli.wide {
        output::fit_terminal();
    }
    let worker = commands::run::worker_home(cli.command.as_ref());
    let api = match &worker {
        Ok(Some(worker)) => Api::open(Some(worker.path().to_owned())),
        _ => Api::open(cli.home),
    };
    if cli.offline {
        koab_api::force_offline();
    }
    // The language that the user chose in the window counts here too.
    let set = || api.as_ref().map_or_else(|_| koab_api::system_language(), |api| api.workspace.language());
    let lang = cli.lang.unwrap_or_else(set);
    let output = Output { json: cli.json, quiet: cli.quiet, lang };
    let ended = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_stack_size(STACK_BYTES)
        .build()
        .map_err(WireError::internal)
        .and_then(|runtime| {
            // On a worker: outside of them each event of a run would have to wake this thread.
            let command = runtime.spawn(async move {
                let api = api?;
                // Kept until the command is over: the workspace lies in it.
                let _worker = worker?;
                match cli.command {
                    Some(command) => commands::dispatch(&api, command, output).await,
                    None => commands::window::alone(&api),
                }
            });
            let ended = runtime.block_on(command);
            // A client that does not read holds up a write to standard output for ever; all that is
            // kept lies on the disk by now.
            runtime.shutdown_timeout(LAST_WRITES);
            ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()))
        });
    if let Some(error) = output::undelivered() {
        let said = lang.say(&say!("the result could not be written to standard output: {error}"));
        output.sentence(&said);
        return ExitCode::FAILURE;
    }
    match ended {
        Ok(CommandEnd::Done) => ExitCode::SUCCESS,
        Ok(CommandEnd::SomeFailed) => ExitCode::from(3),
        Ok(CommandEnd::GateFailed) => ExitCode::from(4),
        Ok(CommandEnd::Inconclusive) => ExitCode::from(5),
        Ok(CommandEnd::Cancelled) => ExitCode::from(130),
        // EX_TEMPFAIL of sysexits.h, which schedulers take for what it is.
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

/// Prints the help that was asked for, or what is wrong with the words. They are quoted there, and
/// a shell may have taken them from names of files, so colours are given up where they hold
/// anything that a terminal would obey.
fn misread(error: &clap::Error) -> ExitCode {
    let mut words = std::env::args_os();
    if words.any(|word| output::clean(&word.to_string_lossy()) != word.to_string_lossy()) {
        output::say(error.to_string().trim_end());
    } else {
        // As clap prints it; a closed pipe is no failure.
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
