//! Decompresses bodies that a server or a proxy has compressed without being asked to.

use crate::http::limits::{BODY_BYTES, LimitExceeded};
use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};
use koab_core::say;
use koab_core::sentence::{Sentence, ToSentence as _};
use reqwest::header::{CONTENT_ENCODING, HeaderMap};
use std::io::{self, Read};

/// The first bytes of gzip, which no text begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Compression of a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Deflate,
    /// A compression that is not supported, by its name.
    Other(String),
}

impl Packing {
    /// Compression of a body with these headers. Both the headers and the first bytes are
    /// considered.
    ///
    /// Headers can be wrong both ways: they remain if a proxy has decompressed the body, and they
    /// are missing if the body was compressed before it was stored.
    pub(crate) fn of(headers: &HeaderMap, body: &[u8]) -> Option<Self> {
        if body.starts_with(&GZIP) {
            return Some(Self::Gzip);
        }
        let encoding = headers.get(CONTENT_ENCODING)?.to_str().ok()?.trim().to_ascii_lowercase();
        let is_text = body.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        match encoding.as_str() {
            _ if is_text => None,
            "deflate" => Some(Self::Deflate),
            "br" | "zstd" | "compress" => Some(Self::Other(encoding)),
            _ => None,
        }
    }

    /// Decompresses a body.
    ///
    /// # Errors
    /// When it is damaged, too long, or its compression is not supported.
    pub(crate) fn unpack(&self, packed: &[u8]) -> Result<Vec<u8>, Sentence> {
        let (body, end) = self.unpack_part(packed, BODY_BYTES + 1)?;
        end.map_err(|error| say!("it is compressed and cannot be decompressed ({error})"))?;
        if body.len() > BODY_BYTES {
            return Err(LimitExceeded::Body.to_sentence());
        }
        Ok(body)
    }

    /// Decompresses at most `most` bytes of a body, and returns them with the outcome.
    fn unpack_part(&self, packed: &[u8], most: usize) -> Result<(Vec<u8>, io::Result<()>), Sentence> {
        let read = |reader: &mut dyn Read| {
            let mut body = Vec::new();
            let end = reader.take(most as u64).read_to_end(&mut body).map(drop);
            (body, end)
        };
        match self {
            Self::Gzip => Ok(read(&mut MultiGzDecoder::new(packed))),
            // Deflate data has a header of two bytes, which some servers leave out.
            Self::Deflate => match read(&mut ZlibDecoder::new(packed)) {
                (body, Err(_)) if body.is_empty() => Ok(read(&mut DeflateDecoder::new(packed))),
                whole => Ok(whole),
            },
            Self::Other(name) => Err(say!(
                "it is compressed ({name}), which was not requested; have the server or the proxy before it send uncompressed answers"
            )),
        }
    }
}

/// The beginning of a body that may be compressed, as far as it can be read, for an error message.
pub(crate) fn readable(headers: &HeaderMap, body: Vec<u8>, most: usize) -> Vec<u8> {
    let Some(packing) = Packing::of(headers, &body) else {
        return body;
    };
    match packing.unpack_part(&body, most) {
        Ok((readable, _)) => readable,
        Err(why) => why.to_string().into_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};

    fn packed(mut reader: impl Read) -> Vec<u8> {
        let mut packed = Vec::new();
        reader.read_to_end(&mut packed).expect("packed");
        packed
    }

    fn headers(encoding: &str) -> HeaderMap {
        HeaderMap::from_iter([(CONTENT_ENCODING, encoding.parse().expect("a value"))])
    }

    #[test]
    fn packed_bodies_are_unpacked_with_and_without_a_header() {
        let body = "{\"가\":1}".as_bytes();
        let best = Compression::best();
        let gzip = packed(GzEncoder::new(body, best));
        let zlib = packed(ZlibEncoder::new(body, best));
        let raw = packed(DeflateEncoder::new(body, best));
        for (encoding, bytes) in [("gzip", &gzip), ("none", &gzip), ("deflate", &zlib), ("deflate", &raw)] {
            let packing = Packing::of(&headers(encoding), bytes).expect("packed");
            assert_eq!(packing.unpack(bytes), Ok(body.to_vec()), "{encoding}");
            assert_eq!(readable(&headers(encoding), bytes.clone(), 4), body[..4], "{encoding}");
        }
        assert_eq!(Packing::of(&headers("gzip"), b"{\"a\": 1}"), None, "unpacked on its way");
        assert_eq!(Packing::of(&HeaderMap::new(), body), None);
    }

    #[test]
    fn what_cannot_be_unpacked_is_said() {
        let mut gzip = packed(GzEncoder::new(&b"{}"[..], Compression::best()));
        gzip.truncate(12);
        assert!(Packing::Gzip.unpack(&gzip).is_err());
        let zeros = packed(GzEncoder::new(io::repeat(0).take(BODY_BYTES as u64 + 1), Compression::fast()));
        assert_eq!(Packing::Gzip.unpack(&zeros), Err(LimitExceeded::Body.to_sentence()));
        let why = Packing::of(&headers("br"), &[0x8b, 0]).expect("packed").unpack(&[]);
        assert!(why.expect_err("not read").to_string().contains("compressed (br)"));
    }
}
