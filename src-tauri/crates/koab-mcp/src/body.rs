//! Reads the body of a request: completely, or with an error that its sender receives.

use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Bytes, Incoming};
use std::time::Duration;

/// Maximum bytes of an overlong body that are read and discarded, because a client reads no answer
/// while it is still writing.
const MAX_DISCARDED_BYTES: u64 = 64 << 20;

/// Reason why a body cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyFault {
    /// The body is longer than the limit.
    TooLong,
    /// The connection broke.
    BrokeOff,
    /// The body did not arrive in time.
    TooSlow,
}

/// Reads a body of at most `most` bytes within the time limit `time`.
///
/// # Errors
/// When the body is too long, arrives too slowly, or the connection breaks.
pub async fn whole(body: Incoming, most: usize, time: Duration) -> Result<Bytes, BodyFault> {
    let read = tokio::time::timeout(time, read(body, most)).await;
    read.unwrap_or(Err(BodyFault::TooSlow))
}

async fn read(mut body: Incoming, most: usize) -> Result<Bytes, BodyFault> {
    if body.size_hint().lower() > MAX_DISCARDED_BYTES {
        return Err(BodyFault::TooLong);
    }
    let (mut bytes, mut length) = (Vec::new(), 0);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| BodyFault::BrokeOff)?;
        let Some(data) = frame.data_ref() else { continue };
        length += data.len() as u64;
        if length > MAX_DISCARDED_BYTES {
            break;
        }
        if length > most as u64 {
            bytes = Vec::new();
        } else {
            bytes.extend_from_slice(data);
        }
    }
    if length > most as u64 { Err(BodyFault::TooLong) } else { Ok(bytes.into()) }
}
