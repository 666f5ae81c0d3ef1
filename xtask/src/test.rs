//! `cargo xtask test`: every check and every test, in one order, with one count.
//!
//! A failed step does not stop the others. A test that this machine cannot run is skipped with a
//! reason, or fails with `--require-all`. A test that did not run never counts as passed: a step
//! with fewer tests than its known number (`minimum`) fails. The last line of the output is the
//! count, for people and for CI.

mod architecture;
mod bundle;
mod cli;
mod context;
mod count;
mod deny;
mod e2e;
mod hygiene;
#[cfg(unix)]
mod image;
mod junit;
mod minimum;
mod prose;
mod rust;
mod script;
mod times;
mod ui_steps;
#[cfg(unix)]
mod wheel;
mod window;

use std::process::ExitCode;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};

use self::context::{Context, Required};
use self::count::Count;
use self::times::{Kind, Timed};
use crate::binaries::Selection;
use crate::checkout::Checkout;
use crate::out;
use crate::setup::{self, Missing, Need};
use crate::ui;

/// A step of the test.
struct Step {
    /// Name for `--only`.
    name: &'static str,
    /// Statement that the step checks, for `--list`.
    shows: &'static str,
    needs: &'static [Need],
    /// Whether the step compiles Rust and therefore depends on the selection of packages.
    compiles: bool,
    /// Whether the step runs only if `--only` names it, because other steps make the same checks.
    by_name: bool,
    /// Whether the step runs in the background. Such steps run one after the other, and their
    /// output is shown in the order of all steps.
    in_background: bool,
    run: fn(&Context<'_>) -> anyhow::Result<Count>,
}

/// Result of a step: its count, its output if it ran in the background, and its duration.
type StepResult = (Count, String, Duration);

#[cfg(unix)]
const STEP_COUNT: usize = 21;
#[cfg(not(unix))]
const STEP_COUNT: usize = 19;

/// All steps in their order.
///
/// Cheap steps come first, so that a small mistake shows early. A step comes after the steps whose
/// results it needs. Background steps run while the Rust tests wait for containers and servers. No
/// browser runs in the background: Chromium drops its requests (`net::ERR_NETWORK_CHANGED`) while
/// the networks of containers change.
const STEPS: [Step; STEP_COUNT] = [
    Step {
        name: "fmt",
        shows: "the Rust sources are formatted",
        needs: &[],
        compiles: false,
        by_name: false,
        in_background: false,
        run: rust::format,
    },
    Step {
        name: "hygiene",
        shows: "nothing of one machine and no key is committed",
        needs: &[],
        compiles: false,
        by_name: false,
        in_background: false,
        run: hygiene::check,
    },
    Step {
        name: "architecture",
        shows: "the invariants that sources and manifests can show",
        needs: &[],
        compiles: false,
        by_name: false,
        in_background: false,
        run: architecture::check,
    },
    Step {
        name: "prose",
        shows: "comments and names are no harder to read than before",
        needs: &[],
        compiles: false,
        by_name: false,
        in_background: false,
        run: prose::check,
    },
    Step {
        name: "deny",
        shows: "licences and sources of the dependencies are those that deny.toml allows",
        needs: &[],
        compiles: false,
        by_name: false,
        in_background: false,
        run: deny::check,
    },
    Step {
        name: "licences",
        shows: "the about box lists the libraries that are shipped now",
        needs: &[],
        compiles: false,
        by_name: false,
        in_background: false,
        run: rust::licences,
    },
    Step {
        name: "ui-build",
        shows: "the UI builds",
        needs: &[Need::UiPackages],
        compiles: false,
        by_name: false,
        in_background: false,
        run: ui_steps::build,
    },
    Step {
        name: "clippy",
        shows: "no lint fires",
        needs: &[],
        compiles: true,
        by_name: false,
        in_background: false,
        run: rust::clippy,
    },
    Step {
        name: "gen",
        shows: "the committed TypeScript types are those of the Rust types",
        needs: &[],
        compiles: true,
        by_name: false,
        in_background: false,
        run: rust::generated_types,
    },
    Step {
        name: "rust-test",
        shows: "the Rust tests",
        needs: &[Need::Nextest],
        compiles: true,
        by_name: false,
        in_background: false,
        run: rust::nextest,
    },
    Step {
        name: "ui-check",
        shows: "the UI's types",
        needs: &[Need::UiPackages],
        compiles: false,
        by_name: false,
        in_background: true,
        run: ui_steps::check,
    },
    Step {
        name: "ui-test",
        shows: "the UI's tests",
        needs: &[Need::UiPackages],
        compiles: false,
        by_name: false,
        in_background: true,
        run: ui_steps::test,
    },
    Step {
        name: "parity",
        shows: "by name only: the published runs score as published, on a checkout of the published repository with KOAB_PUBLISHED=<folder>",
        needs: &[Need::Nextest],
        compiles: false,
        by_name: true,
        in_background: false,
        run: rust::parity,
    },
    Step {
        name: "without-models",
        shows: "by name only: the command line compiles without models inside the application",
        needs: &[],
        compiles: false,
        by_name: true,
        in_background: false,
        run: rust::without_models,
    },
    Step {
        name: "doctest",
        shows: "the examples in the docs",
        needs: &[],
        compiles: true,
        by_name: false,
        in_background: false,
        run: rust::doctest,
    },
    Step {
        name: "cli",
        shows: "the built command line runs the starter pack",
        needs: &[],
        compiles: true,
        by_name: false,
        in_background: false,
        run: cli::check,
    },
    Step {
        name: "e2e",
        shows: "what users do, in a browser on the built `koab serve`",
        needs: &[Need::UiPackages, Need::Browser],
        compiles: true,
        by_name: false,
        in_background: false,
        run: e2e::check,
    },
    Step {
        name: "window",
        shows: "the built window, driven over WebDriver",
        needs: &[Need::UiPackages, Need::WindowBuild, Need::WindowDriver],
        compiles: true,
        by_name: false,
        in_background: false,
        run: window::check,
    },
    Step {
        name: "bundle",
        shows: "the Debian package holds window and command line, and both start; only where all is required",
        needs: &[Need::UiPackages, Need::WindowBuild, Need::WindowDriver],
        compiles: true,
        by_name: false,
        in_background: false,
        run: bundle::check,
    },
    #[cfg(unix)]
    Step {
        name: "wheel",
        shows: "the wheel is installed by pip and by uv, and runs, scores and serves; only where all is required",
        needs: &[Need::UiPackages],
        compiles: true,
        by_name: false,
        in_background: false,
        run: wheel::check,
    },
    #[cfg(unix)]
    Step {
        name: "image",
        shows: "the container image is loaded and runs without root; only where all is required",
        needs: &[],
        compiles: true,
        by_name: false,
        in_background: false,
        run: image::check,
    },
];

/// Runs the steps that the arguments select.
///
/// # Errors
/// Never fails. A wrong argument gives exit code 2, and failed steps are counted.
pub(crate) fn run(checkout: &Checkout, arguments: &[String]) -> anyhow::Result<ExitCode> {
    let options = match Options::parse(arguments) {
        Ok(Request::Run(options)) => options,
        Ok(Request::List) => {
            for step in &STEPS {
                out::line(format_args!("{:<13} {}", step.name, step.shows));
            }
            return Ok(ExitCode::SUCCESS);
        }
        Ok(Request::Times) => return times::print().map(|()| ExitCode::SUCCESS),
        Ok(Request::Minimum) => return minimum::write(checkout).map(|()| ExitCode::SUCCESS),
        Err(error) => {
            out::error(format_args!("{error:#}"));
            return Ok(ExitCode::from(2));
        }
    };
    let steps: Vec<&Step> = STEPS.iter().filter(|step| options.wants(step)).collect();

    let started = Instant::now();
    let missing = set_up(checkout, &steps);
    let (selection, left_out) = selection(checkout, &missing, &steps);
    let context = Context { checkout, selection, required: options.required };
    let mut total = left_out;
    total.require(options.required);
    let (mut summary, mut rows) = (Vec::new(), Vec::new());
    run_in_order(
        &steps,
        |step| run_step(step, &context, &missing),
        |step, (mut count, text, took)| {
            if !text.is_empty() {
                out::line(text.trim_end());
            }
            for reason in &count.failures {
                out::error(reason);
            }
            summary.push(summary_line(step.name, &count, took));
            rows.push(Timed {
                kind: Kind::Step,
                name: step.name.to_owned(),
                seconds: took.as_secs_f64(),
                tests: count.all(),
            });
            rows.append(&mut count.times);
            total.add(count);
        },
    );
    if let Err(error) = times::keep(checkout, options.only.is_none(), rows) {
        out::error(format_args!("the times of this run are not kept: {error:#}"));
    }

    out::heading(format_args!("done in {:.0} s", started.elapsed().as_secs_f64()));
    summary.iter().for_each(out::line);
    total.skipped.iter().for_each(|reason| out::line(format_args!("SKIP: {reason}")));
    total.reference_lines().iter().for_each(out::line);
    total.second_tries.iter().for_each(|name| out::line(format_args!("SECOND TRY: {name}")));
    out::line(format_args!("{} passed at a second try", total.second_tries.len()));
    total.failures.iter().for_each(|reason| out::line(format_args!("FAIL: {reason}")));
    out::line(total.last_line());
    Ok(if total.failed() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs steps and reports their results in order. Background steps start at once, one after the
/// other.
fn run_in_order(
    steps: &[&Step],
    run: impl Fn(&Step) -> StepResult + Sync,
    mut report: impl FnMut(&Step, StepResult),
) {
    std::thread::scope(|scope| {
        let (send, results) = mpsc::channel();
        let run = &run;
        scope.spawn(move || {
            for step in steps.iter().filter(|step| step.in_background) {
                let _ = send.send(run(step));
            }
        });
        for step in steps {
            out::heading(format_args!("{}: {}", step.name, step.shows));
            let result = if step.in_background {
                results.recv().expect("the thread tells of each")
            } else {
                run(step)
            };
            report(step, result);
        }
    });
}

fn run_step(step: &Step, context: &Context<'_>, missing: &Missing) -> StepResult {
    let started = Instant::now();
    let (result, text) = match missing.first_of(step.needs) {
        Some(sentence) => (Ok(Count::skip(sentence)), String::new()),
        None if step.in_background => out::kept(|| (step.run)(context)),
        None => ((step.run)(context), String::new()),
    };
    let mut count = result.unwrap_or_else(|error| Count::fail(format!("{error:#}")));
    count.require_minimum(minimum::fewest(step.name, context.checkout.shared().is_some()));
    count.require(context.required);
    count.name_after(step.name);
    (count, text, started.elapsed())
}

fn summary_line(name: &str, count: &Count, took: Duration) -> String {
    format!("{name:<13} {:<40} {:>7.1} s", count.last_line(), took.as_secs_f64())
}

fn set_up(checkout: &Checkout, steps: &[&Step]) -> Missing {
    let mut needs: Vec<Need> = steps.iter().flat_map(|step| step.needs).copied().collect();
    if steps.iter().any(|step| step.compiles) {
        // The window is compiled with the rest if possible, and it embeds the UI.
        needs.extend([Need::WindowBuild, Need::ModelBuild, Need::UiPackages]);
    }
    setup::ensure(checkout, &needs)
}

/// Selects the packages for this machine, and returns a skip for the excluded part. All packages
/// are selected, unless llama.cpp or the window cannot be compiled or the UI cannot be built.
fn selection(checkout: &Checkout, missing: &Missing, steps: &[&Step]) -> (Selection, Count) {
    if !steps.iter().any(|step| step.compiles) {
        return (Selection::WithoutWindow, Count::nothing());
    }
    let left_out = |what: &str, why: &str| {
        let mut count = Count::skip(why);
        count.name_after(what);
        count
    };
    if let Some(why) = missing.first_of(&[Need::ModelBuild]) {
        return (Selection::WithoutModels, left_out("models and the window", why));
    }
    if let Some(why) = missing.first_of(&[Need::WindowBuild, Need::UiPackages]) {
        return (Selection::WithoutWindow, left_out("the window", why));
    }
    match ui::build_if_stale(checkout) {
        Ok(()) => (Selection::Everything, Count::nothing()),
        Err(error) => (
            Selection::WithoutWindow,
            left_out("the window", &format!("its page cannot be built: {error:#}")),
        ),
    }
}

/// Request of the command line.
enum Request {
    /// Run steps.
    Run(Options),
    /// List the steps.
    List,
    /// Print the times of the last run.
    Times,
    /// Write the minimum number of tests of each step and crate. The numbers come from the last run
    /// of all steps.
    Minimum,
}

/// Steps to run, and the treatment of tests that this machine cannot run.
struct Options {
    required: Required,
    only: Option<Vec<String>>,
}

impl Options {
    /// Parses the arguments.
    fn parse(arguments: &[String]) -> anyhow::Result<Request> {
        let mut options = Self { required: Required::Nothing, only: None };
        let mut without_reference = false;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--require-all" => options.required = Required::All,
                "--without-reference" => without_reference = true,
                "--list" => return Ok(Request::List),
                "--times" => return Ok(Request::Times),
                "--write-minimum" => return Ok(Request::Minimum),
                "--only" => {
                    let names = rest
                        .next()
                        .filter(|list| !list.is_empty() && !list.starts_with('-'))
                        .context("--only needs the names of steps; `cargo xtask test --list` has them")?;
                    for name in names.split(',') {
                        if !STEPS.iter().any(|step| step.name == name) {
                            bail!("no such step: `{name}`; `cargo xtask test --list` names them");
                        }
                        options.only.get_or_insert_default().push(name.to_owned());
                    }
                }
                other => bail!("no such option: {other}; `cargo xtask help` lists them"),
            }
        }
        if without_reference {
            if options.required != Required::All {
                bail!("--without-reference says what --require-all leaves out; give both");
            }
            options.required = Required::AllExceptReference;
        }
        Ok(Request::Run(options))
    }

    fn wants(&self, step: &Step) -> bool {
        match &self.only {
            Some(names) => names.iter().any(|name| name == step.name),
            None => !step.by_name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> anyhow::Result<Request> {
        Options::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    fn options(line: &str) -> Options {
        match parse(line) {
            Ok(Request::Run(options)) => options,
            _ => panic!("`{line}` runs no steps"),
        }
    }

    #[test]
    fn options_select_steps() {
        let all = options("");
        let left_out = STEPS.iter().filter(|step| !all.wants(step)).map(|step| step.name);
        assert_eq!(left_out.collect::<Vec<_>>(), ["parity", "without-models"]);
        assert_eq!(all.required, Required::Nothing);
        let some = options("--only fmt,cli --require-all --only deny");
        let names: Vec<_> = STEPS.iter().filter(|step| some.wants(step)).map(|step| step.name).collect();
        assert_eq!(names, ["fmt", "deny", "cli"]);
        assert_eq!(some.required, Required::All);
        let public = options("--without-reference --require-all");
        assert_eq!(public.required, Required::AllExceptReference);
        assert!(matches!(parse("--list"), Ok(Request::List)));
        assert!(matches!(parse("--times"), Ok(Request::Times)));
    }

    #[test]
    fn what_would_run_nothing_or_something_else_is_refused_by_name() {
        for (line, word) in [
            ("--only fmt,nonsense", "nonsense"),
            ("--fast", "--fast"),
            ("--only", "--only"),
            ("--only --require-all", "--only"),
            ("--only fmt,", "``"),
            ("--without-reference", "--require-all"),
        ] {
            let error = parse(line).err().map(|error| error.to_string());
            assert!(error.as_deref().is_some_and(|error| error.contains(word)), "{line}: {error:?}");
        }
    }

    /// A step that says it ran, with this outcome, under the name of another.
    fn ran(name: &'static str, run: fn(&Context<'_>) -> anyhow::Result<Count>) -> Count {
        let checkout = Checkout { root: ".".into(), target: "target".into() };
        let context =
            Context { checkout: &checkout, selection: Selection::WithoutWindow, required: Required::Nothing };
        run_step(&step(name, false, run), &context, &Missing::default()).0
    }

    fn step(name: &'static str, beside: bool, run: fn(&Context<'_>) -> anyhow::Result<Count>) -> Step {
        Step { name, shows: "", needs: &[], compiles: false, by_name: false, in_background: beside, run }
    }

    #[test]
    fn what_is_run_beside_others_is_told_in_its_turn_and_each_failure_is_told() {
        let steps = [("a", false), ("b", true), ("c", false), ("d", true)]
            .map(|(name, beside)| step(name, beside, |_| Ok(Count::nothing())));
        let begun = mpsc::channel();
        let begun = (begun.0, std::sync::Mutex::new(begun.1));
        let mut told = Vec::new();
        run_in_order(
            &steps.each_ref(),
            |step| {
                match step.name {
                    // Ends once the other has begun, which is not its turn yet.
                    "a" => begun.1.lock().unwrap().recv().unwrap(),
                    "b" => begun.0.send(()).unwrap(),
                    _ => {}
                }
                (Count::fail(step.name), step.name.to_owned(), Duration::ZERO)
            },
            |step, (count, text, _)| {
                assert_eq!((&*count.failures[0], &*text), (step.name, step.name));
                told.push(step.name);
            },
        );
        assert_eq!(told, ["a", "b", "c", "d"]);
    }

    #[test]
    fn a_step_that_ran_nothing_fails_whichever_it_is() {
        for step in &STEPS {
            assert!(minimum::fewest(step.name, false) > 0, "{}", step.name);
            let count = ran(step.name, |_| Ok(Count::nothing()));
            assert_eq!((count.passed, count.failed()), (0, 1), "{}", step.name);
            assert!(count.failures[0].contains("0 tests"), "{:?}", count.failures);
        }
    }

    #[test]
    fn a_step_that_lost_most_of_its_tests_fails() {
        let count = ran("ui-test", |_| Ok(Count::pass()));
        assert_eq!((count.passed, count.failed()), (1, 1));
        let skipped = ran("ui-test", |_| Ok(Count::skip("no Node")));
        assert_eq!(skipped.last_line(), "0 passed, 0 failed, 1 skipped");
    }
}
