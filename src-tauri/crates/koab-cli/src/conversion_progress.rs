//! Shows the conversion of a model on stderr, should one come first: a bar with the time that is left on a terminal, a line
//! every tenth otherwise.

use crate::commands::local_models::bytes;
use crate::lang::Lang;
use crate::output::Output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use koab_api::{Activity, ActivityKind, Api};
use std::io::IsTerminal as _;
use std::time::Duration;

/// How often is looked.
const LOOK: Duration = Duration::from_millis(250);

/// Does the work, and meanwhile shows what this process converts.
pub(crate) async fn during<T>(api: &Api, output: Output, work: impl Future<Output = T>) -> T {
    let terminal = std::io::stderr().is_terminal();
    let target = match output.quiet || !terminal {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let bar = ProgressBar::with_draw_target(Some(0), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent} %  ETA {eta}  {msg}") {
        bar.set_style(style);
    }
    let mut tenths = None;
    tokio::pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => {
                bar.finish_and_clear();
                return done;
            }
            () = tokio::time::sleep(LOOK) => {}
        }
        let Some(at) = converting(api) else {
            bar.finish_and_clear();
            continue;
        };
        let total = at.total.unwrap_or(0);
        bar.set_length(total);
        bar.set_position(at.done);
        bar.set_message(words(&at, output.lang));
        let tenth = (at.done * 10).checked_div(total);
        if !terminal && tenth > tenths {
            output.remark(&format!(
                "{}: {} / {}",
                words(&at, output.lang),
                bytes(at.done),
                bytes(total)
            ));
            tenths = tenth;
        }
    }
}

fn converting(api: &Api) -> Option<Activity> {
    let all = api.activities_list().ok()?;
    all.into_iter()
        .find(|one| one.kind == ActivityKind::ModelConversion && !one.finished && one.total.is_some())
}

fn words(one: &Activity, lang: Lang) -> String {
    let [name, precision] = [0, 1].map(|place| one.about.get(place).map_or("", String::as_str));
    match lang {
        Lang::Ko => format!("{name} {precision} 변환 중"),
        Lang::En => format!("converting {name} to {precision}"),
    }
}
