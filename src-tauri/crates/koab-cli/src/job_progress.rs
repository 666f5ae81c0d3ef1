//! Shows what a command has under way on stderr, as far as it is of a kind that takes long: a bar
//! with the time that is left on a terminal, a line every tenth otherwise.

use crate::output::{Bar, Output};
use koab_api::shown::bytes;
use koab_api::{Api, Job, JobKind};
use koab_core::say;
use koab_core::sentence::Language;

/// What is over sooner is not worth a line, milliseconds.
const SHORT_MS: u64 = 250;

/// Does the work, and meanwhile shows the jobs of these kinds.
pub(crate) async fn during<T>(
    api: &Api,
    output: Output,
    kinds: &[JobKind],
    work: impl Future<Output = T>,
) -> T {
    let bar = Bar::new("{bar:30} {percent} %  ETA {eta}  {msg}", output.quiet);
    let mut told = (String::new(), None);
    let mut changes = api.workspace.job_watch();
    tokio::pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => {
                bar.finish();
                return done;
            }
            Some(_) = changes.next() => {}
        }
        let Some(at) = under_way(api, kinds) else {
            bar.finish();
            continue;
        };
        let total = at.total.unwrap_or(0);
        bar.length(total);
        bar.position(at.done);
        bar.message(&words(&at, output.lang));
        if told.0 != at.id {
            told = (at.id.clone(), None);
        }
        let tenth = (at.done * 10).checked_div(total);
        if !bar.is_shown() && tenth > told.1 {
            output.remark(&format!(
                "{}: {} / {}",
                words(&at, output.lang),
                amount(&at, at.done),
                amount(&at, total)
            ));
            told.1 = tenth;
        }
    }
}

fn under_way(api: &Api, kinds: &[JobKind]) -> Option<Job> {
    let all = api.workspace.jobs();
    all.into_iter().find(|one| {
        kinds.contains(&one.kind) && !one.finished && one.total.is_some() && one.took_ms >= SHORT_MS
    })
}

fn amount(one: &Job, count: u64) -> String {
    if one.in_bytes { bytes(count) } else { count.to_string() }
}

fn words(one: &Job, lang: Language) -> String {
    let [name, precision] = [0, 1].map(|place| one.about.get(place).map_or("", String::as_str));
    lang.say(&match one.kind {
        JobKind::PackPull => say!("fetching {name}"),
        JobKind::PackImport => say!("importing {name}"),
        JobKind::CacheFill => say!("filling the misses of {name}"),
        JobKind::BundleCheck => say!("verifying {name}"),
        JobKind::ModelConversion => say!("converting {name} to {precision}"),
        // No command shows them so; their name is true of any.
        JobKind::Run
        | JobKind::Evaluation
        | JobKind::Judging
        | JobKind::Import
        | JobKind::Export
        | JobKind::Deletion
        | JobKind::ModelPull
        | JobKind::ModelCheck
        | JobKind::ModelTrial
        | JobKind::ScenarioRun
        | JobKind::Sweep
        | JobKind::Adaptive
        | JobKind::Recording => name.into(),
    })
}
