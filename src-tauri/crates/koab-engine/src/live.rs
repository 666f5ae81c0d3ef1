//! Answers that a pack does not have: what the user keeps of earlier calls, then the live API's,
//! which is kept.
//!
//! A run asks here for what is not recorded, and so does whoever fills the misses of a run
//! afterwards, so that both leave the same behind. An answer that says that something went wrong is
//! a failure, which nobody keeps.

use crate::ports::{LiveTools, ServiceFault, StoreError};
use koab_core::args::NormalizedArgs;
use koab_core::event::AnswerSource;
use koab_core::sanitize::sanitize;
use koab_core::say;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout_at};

/// An answer with where it came from, or what the service had against it.
pub type LiveAnswer = Result<(Value, AnswerSource), ServiceFault>;

/// What was kept of an earlier call, or what the service says now; `None` when nothing is kept and
/// nobody may be asked.
///
/// `raw` is what the model wrote, `until` when a service is not waited for any longer.
///
/// # Errors
/// When what is kept cannot be read or written.
pub async fn answer(
    live: &LiveTools,
    tool: &str,
    raw: &Map<String, Value>,
    args: &NormalizedArgs,
    until: Option<Instant>,
) -> Result<Option<LiveAnswer>, StoreError> {
    if let Some(overlay) = &live.overlay
        && let Some(kept) = overlay.lookup(tool, args)?
    {
        return Ok(Some(Ok((kept, AnswerSource::Overlay))));
    }
    let Some(services) = &live.services else {
        return Ok(None);
    };
    let asked = services.call(tool, args);
    let said = match until {
        None => asked.await,
        Some(until) => match timeout_at(until, asked).await {
            Ok(said) => said,
            Err(_elapsed) => Some(Err(ServiceFault {
                message: say!("the service behind {tool} did not answer before the task's time was up"),
                shown: None,
                offline: None,
            })),
        },
    };
    let mut answer = match said {
        None => return Ok(None),
        Some(Err(fault)) => return Ok(Some(Err(fault))),
        Some(Ok(answer)) => answer,
    };
    sanitize(tool, &mut answer);
    if let Some(overlay) = &live.overlay {
        overlay.keep(tool, args, raw, &answer)?;
    }
    Ok(Some(Ok((answer, AnswerSource::Live))))
}
