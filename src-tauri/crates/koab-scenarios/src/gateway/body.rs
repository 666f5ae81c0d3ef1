//! The body of a request, unpacked where its client packed it.

use super::refusal::Refusal;
use flate2::bufread::MultiGzDecoder;
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::CONTENT_ENCODING;
use koab_mcp::body::{BodyFault, whole};
use std::io::Read;
use std::time::Duration;

/// Bytes of a body, and of what is packed in it: a conversation as long as models read, several
/// times over.
const BODY: usize = 8 << 20;
/// How long a caller may take for a request's body.
const BODY_TIME: Duration = Duration::from_secs(60);

/// How a body is packed.
enum Packing {
    Plain,
    Gzip,
    Zstd,
}

/// Reads the body.
///
/// # Errors
/// When it is too long, too slow, broken, or packed in a way that is not known.
pub(super) async fn read(request: Request<Incoming>) -> Result<Vec<u8>, Refusal> {
    read_at_most(request, BODY).await
}

/// The same with another limit.
pub(super) async fn read_at_most(request: Request<Incoming>, most: usize) -> Result<Vec<u8>, Refusal> {
    let packing = packing(&request)?;
    let bytes = match whole(request.into_body(), most, BODY_TIME).await {
        Ok(body) => body,
        Err(BodyFault::TooLong) => return Err(too_large(most)),
        Err(BodyFault::BrokeOff) => return Err(Refusal::new(400, "invalid_body", "the body broke off")),
        Err(BodyFault::TooSlow) => {
            let message = format!("the body did not come within {} s", BODY_TIME.as_secs());
            return Err(Refusal::new(408, "body_too_slow", message));
        }
    };
    match packing {
        Packing::Plain => Ok(bytes.into()),
        Packing::Gzip => unpacked(MultiGzDecoder::new(&bytes[..]), most),
        Packing::Zstd => unpacked(zstd::Decoder::with_buffer(&bytes[..]).map_err(|_| broken())?, most),
    }
}

fn packing(request: &Request<Incoming>) -> Result<Packing, Refusal> {
    let Some(named) = request.headers().get(CONTENT_ENCODING) else {
        return Ok(Packing::Plain);
    };
    match named.as_bytes() {
        b"identity" | b"" => Ok(Packing::Plain),
        b"gzip" => Ok(Packing::Gzip),
        b"zstd" => Ok(Packing::Zstd),
        _ => {
            let message =
                "the body is packed in a way that is not known here; send it plain, or as gzip or zstd";
            Err(Refusal::new(415, "unknown_encoding", message))
        }
    }
}

/// What is packed, as far as the limit goes: a few bytes may unpack to very many.
fn unpacked(packed: impl Read, most: usize) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let read = packed.take(most as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|_| broken())?;
    if bytes.len() > most {
        return Err(too_large(most));
    }
    Ok(bytes)
}

fn broken() -> Refusal {
    Refusal::new(400, "invalid_body", "the body cannot be unpacked")
}

fn too_large(most: usize) -> Refusal {
    let message = format!("the body is longer than {} MiB", most >> 20);
    Refusal::new(413, "body_too_large", message)
}
