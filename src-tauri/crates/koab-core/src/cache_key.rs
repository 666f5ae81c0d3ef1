//! The published cache key, byte by byte (`docs/spec/tools.md` §4).

use crate::args::NormalizedArgs;
use crate::python::{Dumps, dumps};
use crate::tool::ToolSpec;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const CANONICAL: Dumps = Dumps { ascii: false, sorted: true, indent: None };

/// Signature of a tool: the hash of its description and schema. Rewording either changes every key
/// of the tool.
pub fn signature(tool: &ToolSpec) -> String {
    sha256_hex(&dumps(&json!({"description": tool.description, "parameters": tool.parameters}), CANONICAL))
}

/// Key of a call in the published layout, 64 lower-case hex digits.
pub fn published_key(tool: &str, signature: &str, args: &NormalizedArgs) -> String {
    let payload: Value = json!({"args": args.as_value(), "sig": signature, "tool": tool});
    sha256_hex(&dumps(&payload, CANONICAL))
}

/// SHA-256 as lower-case hex.
pub fn sha256_hex(content: &(impl AsRef<[u8]> + ?Sized)) -> String {
    hex::encode(Sha256::digest(content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_match_the_published_vectors() {
        for (tool, signature, args, key) in [
            (
                "AddressToCoord_kakao",
                "5c1a9f77ff65a934791c54be514c5984dd3856a3ab07bc31bc16e167588efcd8",
                json!({"address": "부산광역시 해운대구"}),
                "11a9a8425548c937841f1c0f5d09e8ea99ccc3925f0dc43244d31460f865ed2f",
            ),
            (
                "CarRoute_tmap",
                "2a20fb45db6353b099351b4b494931c908bd40ee50bfeccbe8919c9125466b0e",
                json!({"endX": 126, "endY": 37.5393, "searchOption": 0, "startX": 127.036978, "startY": 37.500692}),
                "d19cbec08ae9fb144e7fd0be640c9b6ffed3ff328addd278f21cfa02507f06ff",
            ),
            (
                "PlaceSearch_kakao",
                "209ed356ecca77a0fea876c116d1418316afc720cc8ea412f655a3b41fe2292a",
                json!({"keyword": "맛집", "radius": 1000, "sort": "accuracy", "x": 127.0, "y": 37.5}),
                "3d5caca75da4f63a5129b9571810c3fb63230e1790bf6866675570379ffd18cb",
            ),
            (
                "MarketList_bithumb",
                "d71b61fee6c00a3b40d878d3e94fbe34f7918cf64b062638c81e9edbf8131059",
                json!({"isDetails": true}),
                "5ce9dad8621540e08ec7df8c9e6bf4705896276920e29569fab115e730d89e02",
            ),
            (
                "BlogSearch_naver",
                "4a76177fa409b81fca78ace966158f4d50917dcd91f9f5bcf6c84c3ea1f6efe0",
                json!({"display": 7, "query": "2025 \u{5}f3 \u{0}d4 \u{6}21 \u{17}2 \u{7}41 \u{8}10 \u{7}17 \u{6}44 \u{8}39 \u{2}f6 \u{6}4e", "sort": "date", "start": 1}),
                "4a243c0683cabd5c2b727ae7a8dd25fc2888a16c2b0b7f80a4aa66866e2de633",
            ),
        ] {
            let args = NormalizedArgs::from_record(args.as_object().expect("an object"));
            assert_eq!(published_key(tool, signature, &args), key, "{tool}");
        }
    }
}
