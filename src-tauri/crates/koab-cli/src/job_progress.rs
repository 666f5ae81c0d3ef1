//! Shows a command's jobs that take long on stderr: on a terminal a bar with the remaining time,
//! otherwise one line per tenth of the work.

use crate::output::{Bar, Output};
use koab_api::shown::bytes;
use koab_api::{Api, Job, JobKind};
use koab_core::say;
use koab_core::sentence::Language;

/// Time in milliseconds after which a job that is still running is shown.
const MIN_SHOWN_MS: u64 = 250;

/// Runs the work and shows jobs of these kinds while it runs.
pub(crate) async fn during<T>(
    api: &Api,
    output: Output,
    kinds: &[JobKind],
    work: impl Future<Output = T>,
) -> T {
    let bar = Bar::new("{bar:30} {percent} %  ETA {eta}  {msg}", output.quiet);
    let mut reported = (String::new(), None);
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
        if reported.0 != at.id {
            reported = (at.id.clone(), None);
        }
        let tenth = (at.done * 10).checked_div(total);
        if !bar.is_shown() && tenth > reported.1 {
            output.remark(&format!(
                "{}: {} / {}",
                words(&at, output.lang),
                amount(&at, at.done),
                amount(&at, total)
            ));
            reported.1 = tenth;
        }
    }
}

fn under_way(api: &Api, kinds: &[JobKind]) -> Option<Job> {
    let all = api.workspace.jobs();
    all.into_iter().find(|one| {
        kinds.contains(&one.kind) && !one.finished && one.total.is_some() && one.took_ms >= MIN_SHOWN_MS
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
        JobKind::FindIndex => say!("reading runs for the search"),
        JobKind::ModelConversion => say!("converting {name} to {precision}"),
        // No command shows jobs of these kinds in words, so the name is enough.
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
