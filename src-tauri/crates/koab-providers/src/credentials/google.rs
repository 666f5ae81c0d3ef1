//! Access tokens of Google Cloud (`docs/spec/adapters.md` §10.5), from a service account's file or
//! from the file that `gcloud auth application-default login` writes.
//!
//! A token is kept until shortly before it expires. The metadata server of Google's own machines is
//! not used.

use crate::http::{self, BadBaseUrl, BaseUrl, Client, Errors, Network};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeyPair;
use aws_lc_rs::signature::RSA_PKCS1_SHA256;
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use jiff::{SignedDuration, Timestamp};
use koab_core::sensitive::Sensitive;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::{say, text_file};
use koab_engine::egress::Purpose;
use koab_engine::ports::ModelError;
use reqwest::Url;
use reqwest::header::CONTENT_TYPE;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;
use tokio::sync::Mutex;

const SCOPE: &str = "https://www.googleapis.com/auth/cloud-platform";
const TOKEN_URI: &str = "https://oauth2.googleapis.com/token";

/// Seconds until an assertion expires; the token has an expiry time of its own.
const ASSERTION_SECONDS: i64 = 3600;

/// Time before the expiry at which a token is renewed.
const RENEWAL_MARGIN: SignedDuration = SignedDuration::from_secs(120);

/// Time limit of a token request.
const TOKEN_TIMEOUT: Duration = Duration::from_secs(20);

/// Reason why a credentials file cannot be used. No content of the file is repeated.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub(crate) enum BadGoogleFile {
    /// The file does not exist or cannot be read.
    #[error("the Google credentials at {path} cannot be read: {cause}")]
    Unreadable { path: String, cause: Sentence },
    /// The file is of another kind.
    #[error(
        "the Google credentials are neither a service account's JSON nor that of `gcloud auth application-default login`"
    )]
    Strange,
    /// The private key in the file is invalid.
    #[error(
        "the private key in the Google credentials cannot be used; download the service account's JSON again"
    )]
    Key,
    /// The `token_uri` in the file is invalid.
    #[error("the Google credentials name no usable token_uri: {0}")]
    TokenUri(#[from] BadBaseUrl),
    /// TLS could not be set up.
    #[error("no connection to Google can be prepared: {0}")]
    Client(Sentence),
}

/// Content of either kind of credentials file.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum File {
    ServiceAccount {
        client_email: String,
        private_key: String,
        token_uri: Option<String>,
    },
    AuthorizedUser {
        client_id: String,
        client_secret: String,
        refresh_token: String,
        token_uri: Option<String>,
    },
}

/// Identity that requests a token.
enum Identity {
    Service { email: String, key: KeyPair },
    User { id: String, secret: Sensitive<String>, refresh: Sensitive<String> },
}

/// An account with its current token.
pub(crate) struct GoogleAccount {
    identity: Identity,
    token_uri: BaseUrl,
    client: Client,
    current: Mutex<Option<(Sensitive<String>, Timestamp)>>,
}

impl std::fmt::Debug for GoogleAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GoogleAccount").finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct AccessToken {
    access_token: String,
    #[serde(default)]
    expires_in: Option<i64>,
}

impl GoogleAccount {
    /// Reads the value of `GOOGLE_APPLICATION_CREDENTIALS`: the path of a file, or its content. The
    /// tokens are requested for `purpose`.
    ///
    /// # Errors
    /// The fault in one sentence.
    pub(crate) fn read(
        network: &Network,
        path_or_json: &str,
        purpose: Purpose,
    ) -> Result<Self, BadGoogleFile> {
        let value = path_or_json.trim();
        let read;
        let json = if value.starts_with('{') {
            value
        } else {
            let unreadable = |cause: Sentence| BadGoogleFile::Unreadable { path: value.to_owned(), cause };
            let bytes = std::fs::read(value).map_err(|error| unreadable(error.to_sentence()))?;
            read = text_file::decode(bytes).map_err(|why| unreadable(why.to_sentence()))?;
            &read
        };
        // The parser's message could repeat a part of the key.
        let file: File = serde_json::from_str(json).map_err(|_| BadGoogleFile::Strange)?;
        let (identity, token_uri) = match file {
            File::ServiceAccount { client_email, private_key, token_uri } => {
                let key = pkcs8(&private_key).ok_or(BadGoogleFile::Key)?;
                let key = KeyPair::from_pkcs8(&key).map_err(|_| BadGoogleFile::Key)?;
                let email = client_email;
                (Identity::Service { email, key }, token_uri)
            }
            File::AuthorizedUser { client_id, client_secret, refresh_token, token_uri } => {
                let identity = Identity::User {
                    id: client_id,
                    secret: client_secret.into(),
                    refresh: refresh_token.into(),
                };
                (identity, token_uri)
            }
        };
        let token_uri = BaseUrl::parse(token_uri.as_deref().unwrap_or(TOKEN_URI))?;
        let client = http::client(network, &token_uri, purpose)
            .map_err(|error| BadGoogleFile::Client(http::deepest(&error)))?;
        Ok(GoogleAccount { identity, token_uri, client, current: Mutex::default() })
    }

    /// The current token; a new one if it is about to expire. Concurrent calls make one request.
    pub(crate) async fn token(&self, errors: &Errors) -> Result<Sensitive<String>, ModelError> {
        let mut current = self.current.lock().await;
        if let Some((token, end)) = &*current
            && Timestamp::now() + RENEWAL_MARGIN < *end
        {
            return Ok(token.clone());
        }
        let errors = errors.at(self.token_uri.shown());
        let (token, end) = tokio::time::timeout(TOKEN_TIMEOUT, self.ask(&errors))
            .await
            .map_err(|_| errors.unreachable(say!("no token within {} s", TOKEN_TIMEOUT.as_secs())))??;
        *current = Some((token.clone(), end));
        Ok(token)
    }

    async fn ask(&self, errors: &Errors) -> Result<(Sensitive<String>, Timestamp), ModelError> {
        let now = Timestamp::now();
        let form = self.form(now).ok_or_else(|| errors.strange(say!("the assertion cannot be signed")))?;
        let post = self
            .client
            .post(self.token_uri.itself())
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form);
        let response = post.send().await.map_err(|error| errors.sending(&error))?;
        if !response.status().is_success() {
            return Err(errors.refused_key(response).await);
        }
        let body = response.bytes().await.map_err(|error| errors.reading(&error))?;
        let granted: AccessToken =
            serde_json::from_slice(&body).map_err(|_| errors.strange(say!("it holds no access token")))?;
        let seconds = granted.expires_in.unwrap_or(ASSERTION_SECONDS).clamp(0, 86_400);
        Ok((Sensitive::new(granted.access_token), now + SignedDuration::from_secs(seconds)))
    }

    fn form(&self, now: Timestamp) -> Option<String> {
        let mut url = Url::parse("form:").ok()?;
        match &self.identity {
            Identity::Service { email, key } => {
                let assertion = assertion(email, key, &self.token_uri, now)?;
                url.query_pairs_mut()
                    .append_pair("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")
                    .append_pair("assertion", &assertion);
            }
            Identity::User { id, secret, refresh } => {
                url.query_pairs_mut()
                    .append_pair("grant_type", "refresh_token")
                    .append_pair("client_id", id)
                    .append_pair("client_secret", secret.expose())
                    .append_pair("refresh_token", refresh.expose());
            }
        }
        url.query().map(str::to_owned)
    }
}

/// A signed assertion for a token request (RS256 JWT).
fn assertion(email: &str, key: &KeyPair, token_uri: &BaseUrl, now: Timestamp) -> Option<String> {
    let claims = json!({
        "iss": email,
        "scope": SCOPE,
        "aud": token_uri.itself().as_str(),
        "iat": now.as_second(),
        "exp": now.as_second() + ASSERTION_SECONDS,
    });
    let encode = |json: serde_json::Value| BASE64_URL_SAFE_NO_PAD.encode(json.to_string());
    let text = format!("{}.{}", encode(json!({"alg": "RS256", "typ": "JWT"})), encode(claims));
    let mut signature = vec![0; key.public_modulus_len()];
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature).ok()?;
    Some(format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature)))
}

/// The decoded bytes of a private key in PEM form.
fn pkcs8(pem: &str) -> Option<Vec<u8>> {
    let body = pem.trim().strip_prefix(concat!("-----BEGIN ", "PRIVATE KEY-----"))?;
    let body = body.split("-----END").next()?;
    let body: String = body.split_whitespace().collect();
    BASE64_STANDARD.decode(body).ok()
}

#[cfg(test)]
mod tests;
