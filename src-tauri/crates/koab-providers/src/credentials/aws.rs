//! Makes a bearer token for Bedrock from access keys of AWS.
//!
//! Bedrock accepts bearer tokens, and AWS documents how its own generators make short-term ones
//! from access keys: the URL of an action, signed (Signature Version 4, in the query), in base64.
//! This needs no request, and the requests to the model need no signature of their own. It is
//! implemented here, because `aws-sigv4` brings crates of the AWS SDK for one signature of fixed
//! parts.

use aws_lc_rs::hmac::{HMAC_SHA256, Key, Tag, sign};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use koab_core::secrets::QUERY;
use koab_core::sensitive::Sensitive;
use percent_encoding::utf8_percent_encode;

const HOST: &str = "bedrock.amazonaws.com";
const SERVICE: &str = "bedrock";
/// Seconds until a token expires, the maximum that AWS allows. Each call makes a new token, so the
/// time hardly matters.
const TOKEN_SECONDS: u32 = 43_200;
/// SHA-256 of the empty body that is signed.
const EMPTY_SHA256: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// Access keys and their region.
#[derive(Clone, Debug)]
pub(crate) struct AwsKeys {
    pub(crate) id: Sensitive<String>,
    pub(crate) secret: Sensitive<String>,
    pub(crate) session: Option<Sensitive<String>>,
    pub(crate) region: String,
}

impl AwsKeys {
    /// A token that is made at the time `now`.
    pub(crate) fn token(&self, now: Timestamp) -> Sensitive<String> {
        let time = now.to_zoned(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ").to_string();
        let date = &time[..8];
        let scope = format!("{date}/{}/{SERVICE}/aws4_request", self.region);
        let mut query = format!(
            "Action=CallWithBearerToken&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential={}&X-Amz-Date={time}&X-Amz-Expires={TOKEN_SECONDS}",
            encoded(&format!("{}/{scope}", self.id.expose().trim())),
        );
        // The signature covers the parameters in the order of their names.
        let session = self.session.as_ref().map(|token| encoded(token.expose().trim()));
        let mut signed = query.clone();
        if let Some(session) = &session {
            signed.push_str(&format!("&X-Amz-Security-Token={session}"));
        }
        signed.push_str("&X-Amz-SignedHeaders=host");
        query.push_str("&X-Amz-SignedHeaders=host");
        if let Some(session) = &session {
            query.push_str(&format!("&X-Amz-Security-Token={session}"));
        }
        let request = format!("POST\n/\n{signed}\nhost:{HOST}\n\nhost\n{EMPTY_SHA256}");
        let text = format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", sha256(&request));
        let secret = format!("AWS4{}", self.secret.expose().trim());
        let key = [date, &self.region, SERVICE, "aws4_request"]
            .iter()
            .fold(secret.into_bytes(), |key, part| hmac(&key, part).as_ref().to_vec());
        let signature = hex::encode(hmac(&key, &text));
        let address = format!("{HOST}/?{query}&X-Amz-Signature={signature}&Version=1");
        Sensitive::new(format!("bedrock-api-key-{}", BASE64_STANDARD.encode(address)))
    }

    /// The parts that must not be shown.
    pub(crate) fn secrets(&self) -> Vec<Sensitive<String>> {
        [Some(self.secret.clone()), self.session.clone()].into_iter().flatten().collect()
    }
}

fn hmac(key: &[u8], text: &str) -> Tag {
    sign(&Key::new(HMAC_SHA256, key), text.as_bytes())
}

fn sha256(text: &str) -> String {
    hex::encode(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, text.as_bytes()))
}

/// Percent-encodes all characters except letters, digits and `-._~`.
fn encoded(text: &str) -> String {
    utf8_percent_encode(text, QUERY).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares tokens with those that AWS's own generator (`aws-bedrock-token-generator` 1.1.0)
    /// makes of the same keys at the same time.
    #[test]
    fn tokens_are_those_of_the_official_generator() {
        for (session, expected) in [
            (
                None,
                "bedrock.amazonaws.com/?Action=CallWithBearerToken&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20261120%2Fus-east-1%2Fbedrock%2Faws4_request&X-Amz-Date=20261120T010203Z&X-Amz-Expires=43200&X-Amz-SignedHeaders=host&X-Amz-Signature=632382caffd514d3054c3adcbaf91f0a6253be5614a17a3d6092c089cff55cff&Version=1",
            ),
            (
                Some("se/ss+tok="),
                "bedrock.amazonaws.com/?Action=CallWithBearerToken&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F20261120%2Fus-east-1%2Fbedrock%2Faws4_request&X-Amz-Date=20261120T010203Z&X-Amz-Expires=43200&X-Amz-SignedHeaders=host&X-Amz-Security-Token=se%2Fss%2Btok%3D&X-Amz-Signature=775b4a852349f6caf44863b7114b9a27a77ef25842dd5e2ee0c0e16fb00935b4&Version=1",
            ),
        ] {
            let keys = AwsKeys {
                id: Sensitive::new("AKIDEXAMPLE".to_owned()),
                secret: Sensitive::new("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".to_owned()),
                session: session.map(|token: &str| Sensitive::new(token.to_owned())),
                region: "us-east-1".to_owned(),
            };
            let now = "2026-11-20T01:02:03Z".parse().expect("a time");
            let token = keys.token(now).into_exposed();
            let address = token.strip_prefix("bedrock-api-key-").expect("its beginning");
            let address = BASE64_STANDARD.decode(address).expect("base64");
            assert_eq!(String::from_utf8(address).expect("text"), expected);
        }
    }
}
