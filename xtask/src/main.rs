//! Commands of this project: `cargo xtask run | install | test | bench | bundle | image | manifest
//! | gen | setup`.
//!
//! Every action of a person or a CI job on a checkout starts with this program, so that both do the
//! same. This program starts other programs and counts results. The product itself is in
//! `src-tauri/crates`.
#![forbid(unsafe_code)]

mod bench;
mod binaries;
mod bundle;
mod checkout;
mod command;
mod docker;
mod generate;
#[cfg(unix)]
mod image;
mod install;
mod licences;
mod manifest;
mod out;
mod run;
mod setup;
mod shots;
mod slurm;
mod test;
mod ui;

use std::process::ExitCode;

use crate::checkout::Checkout;

const HELP: &str = "\
cargo xtask run [--headless] [ARGS]    set up, then open the window; without a display run the built-in baseline.
                                       With ARGS: pass them to `koab` (headless) or to the window.
cargo xtask install [CARGO OPTIONS]    set up, then install `koab`; what cannot be built here is left out and said
cargo xtask test [OPTIONS]             set up, then every check and every test; the last line is the count
    --require-all                      what cannot run here counts as failed instead of skipped
    --without-reference                with it: but for tests that compare with ../shared, which lies beside the repository
    --only STEP[,STEP]                 only these steps
    --list                             name the steps and stop
    --times                            print the kept times of the last run beside those before, and stop
    --write-minimum                    write xtask/minimum.tsv by the last whole run, and stop
cargo xtask bench [--check] [--only NAME]
                                       measure the release build; --check fails when a target is missed
cargo xtask bundle [--debug] [--kind KIND]
                                       a package with window and command line, the system's usual one or deb, rpm,
                                       appimage, dmg, msi, nsis, wheel, wheel-local; --debug packs a development build
cargo xtask image [--debug]            a container image with the command line, without models inside it, into target/image;
                                       made of Debian's packages; --debug packs a development build
cargo xtask manifest FOLDER --version V --date D --notes URL --files URL
                                       latest.json, which the updater reads, from the signatures (*.sig) of a release's
                                       packages in FOLDER, which lie at the address --files, made at D (RFC 3339)
cargo xtask shots                      pictures of every screen, themes and languages, into target/shots
cargo xtask gen                        write ui/src/ipc/gen.ts from the Rust types, and the list of licences
cargo xtask setup                      install what is missing, say what cannot be installed from here
cargo xtask setup parity [FOLDER]      fetch the published reference data that tests need, each file checked by its hash,
                                       into target/parity (xtask/parity.toml); KOAB_PARITY_FROM is another server for it";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(code) => code,
        Err(error) => {
            out::error(format_args!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> anyhow::Result<ExitCode> {
    let Some((name, rest)) = arguments.split_first() else {
        out::line(HELP);
        return Ok(ExitCode::from(2));
    };
    let checkout = Checkout::find()?;
    match name.as_str() {
        "run" => run::run(&checkout, rest),
        "install" => install::run(&checkout, rest),
        "test" => test::run(&checkout, rest),
        "bench" => bench::run(&checkout, rest),
        "bundle" => bundle::run(&checkout, rest),
        "manifest" => manifest::run(rest),
        #[cfg(unix)]
        "image" => image::run(&checkout, rest),
        "shots" => shots::run(&checkout),
        "gen" => generate::into_checkout(&checkout).map(|()| ExitCode::SUCCESS),
        "setup" => setup::run(&checkout, rest),
        "help" | "--help" | "-h" => {
            out::line(HELP);
            Ok(ExitCode::SUCCESS)
        }
        other => {
            out::error(format_args!("no such command: {other}\n\n{HELP}"));
            Ok(ExitCode::from(2))
        }
    }
}
