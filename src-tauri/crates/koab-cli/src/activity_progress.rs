//! Shows what a command has under way on stderr, as far as it is of a kind that takes long: a bar with the time that is left on a
//! terminal, a line every tenth otherwise.

use crate::commands::local_models::bytes;
use crate::lang::Lang;
use crate::output::{Bar, Output};
use koab_api::{Activity, ActivityKind, Api};
use std::time::Duration;

/// How often is looked.
const LOOK: Duration = Duration::from_millis(250);

/// Does the work, and meanwhile shows the activities of these kinds.
pub(crate) async fn during<T>(
    api: &Api,
    output: Output,
    kinds: &[ActivityKind],
    work: impl Future<Output = T>,
) -> T {
    let bar = Bar::new("{bar:30} {percent} %  ETA {eta}  {msg}", output.quiet);
    let mut told = (String::new(), None);
    tokio::pin!(work);
    loop {
        tokio::select! {
            biased;
            done = &mut work => {
                bar.finish();
                return done;
            }
            () = tokio::time::sleep(LOOK) => {}
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
                amount(at.kind, at.done),
                amount(at.kind, total)
            ));
            told.1 = tenth;
        }
    }
}

fn under_way(api: &Api, kinds: &[ActivityKind]) -> Option<Activity> {
    let all = api.activities_list().ok()?;
    all.into_iter()
        .find(|one| kinds.contains(&one.kind) && !one.finished && one.total.is_some())
}

fn amount(kind: ActivityKind, count: u64) -> String {
    match kind {
        ActivityKind::PackImport | ActivityKind::CacheFill => count.to_string(),
        _ => bytes(count),
    }
}

fn words(one: &Activity, lang: Lang) -> String {
    let [name, precision] = [0, 1].map(|place| one.about.get(place).map_or("", String::as_str));
    match (one.kind, lang) {
        (ActivityKind::PackPull, Lang::Ko) => format!("{name} 받는 중"),
        (ActivityKind::PackPull, Lang::En) => format!("fetching {name}"),
        (ActivityKind::PackImport, Lang::Ko) => format!("{name} 가져오는 중"),
        (ActivityKind::PackImport, Lang::En) => format!("importing {name}"),
        (ActivityKind::CacheFill, Lang::Ko) => format!("{name}의 기록에 없는 호출 채우는 중"),
        (ActivityKind::CacheFill, Lang::En) => format!("filling the misses of {name}"),
        (ActivityKind::BundleCheck, Lang::Ko) => format!("{name} 검증 중"),
        (ActivityKind::BundleCheck, Lang::En) => format!("verifying {name}"),
        (_, Lang::Ko) => format!("{name} {precision} 변환 중"),
        (_, Lang::En) => format!("converting {name} to {precision}"),
    }
}
