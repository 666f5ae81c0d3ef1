//! Reads the body of a request and decompresses it.

use super::refusal::Refusal;
use flate2::bufread::MultiGzDecoder;
use hyper::Request;
use hyper::body::Incoming;
use hyper::header::CONTENT_ENCODING;
use koab_mcp::body::{BodyFault, whole};
use std::io::Read;
use std::time::Duration;

/// Maximum number of bytes of a body, before and after decompression. The limit is several times
/// the longest conversation that models accept.
const MAX_BODY_BYTES: usize = 8 << 20;
/// Time within which the body must arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(60);

/// Compression of a body.
enum Packing {
    Plain,
    Gzip,
    Zstd,
}

/// Reads a body of at most [`MAX_BODY_BYTES`].
///
/// # Errors
/// When the body is too long, too slow, incomplete, or in an unknown encoding.
pub(super) async fn read(request: Request<Incoming>) -> Result<Vec<u8>, Refusal> {
    read_at_most(request, MAX_BODY_BYTES).await
}

/// Reads a body of at most `most` bytes.
pub(super) async fn read_at_most(request: Request<Incoming>, most: usize) -> Result<Vec<u8>, Refusal> {
    let packing = packing(&request)?;
    let bytes = match whole(request.into_body(), most, BODY_TIMEOUT).await {
        Ok(body) => body,
        Err(BodyFault::TooLong) => return Err(too_large(most)),
        Err(BodyFault::BrokeOff) => return Err(Refusal::new(400, "invalid_body", "the body broke off")),
        Err(BodyFault::TooSlow) => {
            let message = format!("the body did not come within {} s", BODY_TIMEOUT.as_secs());
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
    let Some(encoding) = request.headers().get(CONTENT_ENCODING) else {
        return Ok(Packing::Plain);
    };
    match encoding.as_bytes() {
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

/// Decompresses up to the limit, since a few bytes may expand to very many.
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
