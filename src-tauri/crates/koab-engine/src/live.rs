//! Answers to cache misses: the user's saved responses, then answers of the live API, which are
//! saved.
//!
//! Runs use this module, and so does the command that fills the cache misses of a run afterwards.
//! An answer that reports an error is a failure and is not saved.

use crate::disk_work::disk_work;
use crate::ports::{LiveTools, ServiceFault, StoreError};
use koab_core::args::NormalizedArgs;
use koab_core::event::AnswerSource;
use koab_core::sanitize::sanitize;
use koab_core::say;
use serde_json::{Map, Value};
use tokio::time::{Instant, timeout_at};

/// An answer with its source, or the failure of the service.
pub type LiveAnswer = Result<(Value, AnswerSource), ServiceFault>;

/// The saved response of an earlier call, or else the service's answer. `None` if nothing is saved
/// and no service may be called.
///
/// `raw` has the arguments as the model wrote them. `until` is the time limit of the service.
///
/// # Errors
/// When the saved responses cannot be read or written.
pub async fn answer(
    live: &LiveTools,
    tool: &str,
    raw: &Map<String, Value>,
    args: &NormalizedArgs,
    until: Option<Instant>,
) -> Result<Option<LiveAnswer>, StoreError> {
    if let Some(overlay) = &live.overlay
        && let Some(kept) = disk_work(|| overlay.lookup(tool, args))?
    {
        return Ok(Some(Ok((kept, AnswerSource::Overlay))));
    }
    let Some(services) = &live.services else {
        return Ok(None);
    };
    let call = services.call(tool, args);
    let reply = match until {
        None => call.await,
        Some(until) => match timeout_at(until, call).await {
            Ok(reply) => reply,
            Err(_elapsed) => Some(Err(ServiceFault {
                message: say!("the service behind {tool} did not answer before the task's time was up"),
                shown: None,
                offline: None,
            })),
        },
    };
    let mut answer = match reply {
        None => return Ok(None),
        Some(Err(fault)) => return Ok(Some(Err(fault))),
        Some(Ok(answer)) => answer,
    };
    sanitize(tool, &mut answer);
    if let Some(overlay) = &live.overlay {
        disk_work(|| overlay.keep(tool, args, raw, &answer))?;
    }
    Ok(Some(Ok((answer, AnswerSource::Live))))
}
