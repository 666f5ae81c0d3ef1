//! `cargo xtask test`: every check and every test, in one order, with one count.
//!
//! A step that fails does not stop the others. What the machine cannot do is a skip with a reason, or, under
//! `--require-all`, a failure. The last line of the output is the count, for people and for CI.

mod architecture;
mod bundle;
mod cli;
mod count;
mod e2e;
mod hygiene;
mod junit;
mod rust;
mod ui_steps;
mod window;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;

use self::count::Count;
use crate::binaries::Selection;
use crate::out;
use crate::place::Place;
use crate::setup::{self, Missing, Need};
use crate::ui;

/// What every step is given.
struct Context<'a> {
    place: &'a Place,
    /// What cargo works on: everything where the window can be compiled.
    selection: Selection,
    /// Whether what cannot run here counts as failed.
    require_all: bool,
}

/// One step of the test.
struct Step {
    /// Its name for `--only`.
    name: &'static str,
    /// What it shows, for `--list`.
    shows: &'static str,
    needs: &'static [Need],
    /// Whether it compiles Rust, so that the selection matters to it.
    compiles: bool,
    run: fn(&Context<'_>) -> anyhow::Result<Count>,
}

/// Cheap steps first, so that a small mistake shows early; a step that needs another's result comes after it.
const STEPS: [Step; 16] = [
    Step {
        name: "fmt",
        shows: "the Rust sources are formatted",
        needs: &[],
        compiles: false,
        run: rust::format,
    },
    Step {
        name: "hygiene",
        shows: "nothing of one machine and no key is committed",
        needs: &[],
        compiles: false,
        run: hygiene::check,
    },
    Step {
        name: "architecture",
        shows: "the invariants that sources and manifests can show",
        needs: &[],
        compiles: false,
        run: architecture::check,
    },
    Step {
        name: "deny",
        shows: "licences and sources of the dependencies, where cargo-deny is there",
        needs: &[],
        compiles: false,
        run: rust::deny,
    },
    Step {
        name: "licences",
        shows: "the about box lists the libraries that are shipped now",
        needs: &[],
        compiles: false,
        run: rust::licences,
    },
    Step {
        name: "ui-check",
        shows: "the UI's types",
        needs: &[Need::UiPackages],
        compiles: false,
        run: ui_steps::check,
    },
    Step {
        name: "ui-test",
        shows: "the UI's tests",
        needs: &[Need::UiPackages],
        compiles: false,
        run: ui_steps::test,
    },
    Step {
        name: "ui-build",
        shows: "the UI builds",
        needs: &[Need::UiPackages],
        compiles: false,
        run: ui_steps::build,
    },
    Step {
        name: "clippy",
        shows: "no lint fires",
        needs: &[],
        compiles: true,
        run: rust::clippy,
    },
    Step {
        name: "gen",
        shows: "the committed TypeScript types are those of the Rust types",
        needs: &[],
        compiles: true,
        run: rust::generated_types,
    },
    Step {
        name: "rust-test",
        shows: "the Rust tests",
        needs: &[Need::Nextest],
        compiles: true,
        run: rust::nextest,
    },
    Step {
        name: "doctest",
        shows: "the examples in the docs",
        needs: &[],
        compiles: true,
        run: rust::doctest,
    },
    Step {
        name: "cli",
        shows: "the built command line runs the starter pack",
        needs: &[],
        compiles: true,
        run: cli::check,
    },
    Step {
        name: "e2e",
        shows: "what users do, in a browser on the built `koab serve`",
        needs: &[Need::UiPackages, Need::Browser],
        compiles: true,
        run: e2e::check,
    },
    Step {
        name: "window",
        shows: "the built window, driven over WebDriver",
        needs: &[Need::UiPackages, Need::WindowBuild, Need::WindowDriver],
        compiles: true,
        run: window::check,
    },
    Step {
        name: "bundle",
        shows: "the Debian package holds window and command line, and both start; only with --require-all",
        needs: &[Need::UiPackages, Need::WindowBuild, Need::WindowDriver],
        compiles: true,
        run: bundle::check,
    },
];

/// Runs the steps that the arguments ask for.
///
/// # Errors
/// When an argument is not known. Failing steps are counted, not returned.
pub(crate) fn run(place: &Place, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let Some(options) = Options::parse(arguments)? else {
        for step in &STEPS {
            out::line(format_args!("{:<13} {}", step.name, step.shows));
        }
        return Ok(ExitCode::SUCCESS);
    };
    let steps: Vec<&Step> = STEPS.iter().filter(|step| options.wants(step)).collect();

    let started = Instant::now();
    let missing = set_up(place, &steps);
    let selection = selection(place, &missing, &steps);
    let context = Context {
        place,
        selection,
        require_all: options.require_all,
    };
    let mut total = Count::default();
    let mut summary = Vec::new();
    if let (Selection::WithoutModels, Some(sentence)) = (selection, missing.first_of(&[Need::ModelBuild])) {
        let mut left_out = Count::skip(sentence);
        if options.require_all {
            left_out.skips_become_failures();
        }
        left_out.name_after("models");
        total.add(left_out);
    }
    for step in steps {
        out::heading(format_args!("{}: {}", step.name, step.shows));
        let step_started = Instant::now();
        let count = run_step(step, &context, &missing);
        summary.push(summary_line(step.name, &count, step_started.elapsed()));
        total.add(count);
    }

    out::heading(format_args!("done in {:.0} s", started.elapsed().as_secs_f64()));
    summary.iter().for_each(out::line);
    total
        .skipped
        .iter()
        .for_each(|reason| out::line(format_args!("SKIP: {reason}")));
    total
        .failures
        .iter()
        .for_each(|reason| out::line(format_args!("FAIL: {reason}")));
    out::line(total.last_line());
    Ok(if total.failed() == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn run_step(step: &Step, context: &Context<'_>, missing: &Missing) -> Count {
    let result = match missing.first_of(step.needs) {
        Some(sentence) => Ok(Count::skip(sentence)),
        None => (step.run)(context),
    };
    let mut count = result.unwrap_or_else(|error| Count::fail(format!("{error:#}")));
    if context.require_all {
        count.skips_become_failures();
    }
    count.name_after(step.name);
    for reason in &count.failures {
        out::error(reason);
    }
    count
}

fn summary_line(name: &str, count: &Count, took: Duration) -> String {
    format!(
        "{name:<13} {:<40} {:>7.1} s",
        count.last_line(),
        took.as_secs_f64()
    )
}

fn set_up(place: &Place, steps: &[&Step]) -> Missing {
    let mut needs: Vec<Need> = steps.iter().flat_map(|step| step.needs).copied().collect();
    if steps.iter().any(|step| step.compiles) {
        // The window is compiled with the rest where that is possible, and it embeds the UI.
        needs.extend([Need::WindowBuild, Need::ModelBuild, Need::UiPackages]);
    }
    setup::ensure(place, &needs)
}

/// Everything, unless llama.cpp or the window cannot be compiled here, or the window's UI not be built.
fn selection(place: &Place, missing: &Missing, steps: &[&Step]) -> Selection {
    if !steps.iter().any(|step| step.compiles) {
        return Selection::WithoutWindow;
    }
    if missing.first_of(&[Need::ModelBuild]).is_some() {
        return Selection::WithoutModels;
    }
    let possible = missing.first_of(&[Need::WindowBuild, Need::UiPackages]).is_none();
    if possible && ui::build_if_stale(place).is_ok() {
        return Selection::Everything;
    }
    out::line("the window is left out: it cannot be built here");
    Selection::WithoutWindow
}

/// What was asked for on the command line.
struct Options {
    require_all: bool,
    only: Option<Vec<String>>,
}

impl Options {
    /// Reads the arguments; nothing when the steps are to be listed.
    fn parse(arguments: &[String]) -> anyhow::Result<Option<Self>> {
        let mut options = Self {
            require_all: false,
            only: None,
        };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--require-all" => options.require_all = true,
                "--list" => return Ok(None),
                "--only" => {
                    let names = rest
                        .next()
                        .map(|list| list.split(',').map(str::to_owned).collect::<Vec<_>>());
                    let names = names.unwrap_or_default();
                    if let Some(unknown) = names.iter().find(|name| !STEPS.iter().any(|s| s.name == **name)) {
                        bail!("no such step: {unknown}; `cargo xtask test --list` names them");
                    }
                    options.only.get_or_insert_default().extend(names);
                }
                other => bail!("no such option: {other}; `cargo xtask help` lists them"),
            }
        }
        Ok(Some(options))
    }

    fn wants(&self, step: &Step) -> bool {
        self.only
            .as_ref()
            .is_none_or(|names| names.iter().any(|name| name == step.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> anyhow::Result<Option<Options>> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_select_steps() {
        let all = parse("").unwrap().unwrap();
        assert!(STEPS.iter().all(|step| all.wants(step)) && !all.require_all);
        let some = parse("--only fmt,cli --require-all").unwrap().unwrap();
        let names: Vec<_> = STEPS
            .iter()
            .filter(|step| some.wants(step))
            .map(|step| step.name)
            .collect();
        assert_eq!(names, ["fmt", "cli"]);
        assert!(some.require_all);
        assert!(parse("--list").unwrap().is_none());
    }

    #[test]
    fn unknown_words_are_refused_by_name() {
        for (line, word) in [("--only fmt,nonsense", "nonsense"), ("--fast", "--fast")] {
            let error = parse(line)
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default();
            assert!(error.contains(word), "{line}: {error}");
        }
    }
}
