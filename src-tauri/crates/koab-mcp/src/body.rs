//! The body of a request: whole, or refused so that its sender hears of it.

use http_body_util::BodyExt as _;
use hyper::body::{Body as _, Bytes, Incoming};
use std::time::Duration;

/// Bytes of a body that is too long which are read and forgotten, at most: who is still writing
/// does not hear an answer.
const FORGOTTEN: u64 = 64 << 20;

/// Why there is no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyFault {
    /// It is longer than it may be.
    TooLong,
    /// It broke off.
    BrokeOff,
    /// It did not come in time.
    TooSlow,
}

/// Reads a body of at most so many bytes, in at most this time.
///
/// # Errors
/// When it is too long, too slow or broken.
pub async fn whole(body: Incoming, most: usize, time: Duration) -> Result<Bytes, BodyFault> {
    let read = tokio::time::timeout(time, read(body, most)).await;
    read.unwrap_or(Err(BodyFault::TooSlow))
}

async fn read(mut body: Incoming, most: usize) -> Result<Bytes, BodyFault> {
    if body.size_hint().lower() > FORGOTTEN {
        return Err(BodyFault::TooLong);
    }
    let (mut bytes, mut length) = (Vec::new(), 0);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| BodyFault::BrokeOff)?;
        let Some(data) = frame.data_ref() else { continue };
        length += data.len() as u64;
        if length > FORGOTTEN {
            break;
        }
        if length > most as u64 {
            bytes = Vec::new();
        } else {
            bytes.extend_from_slice(data);
        }
    }
    match length > most as u64 {
        true => Err(BodyFault::TooLong),
        false => Ok(bytes.into()),
    }
}
