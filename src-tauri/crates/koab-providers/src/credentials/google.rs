//! Access tokens of Google Cloud (`docs/spec/adapters.md` §10.5): from a service account's file, or
//! from the file that `gcloud auth application-default login` leaves.
//!
//! A token is kept until shortly before it runs out. The metadata server of Google's own machines
//! is not asked.

use crate::http::{self, BadBaseUrl, BaseUrl, Client, Errors};
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

/// Seconds that an assertion is good for; the token that it brings has times of its own.
const ASSERTED_FOR: i64 = 3600;

/// How long before its end a token is renewed.
const EARLY: SignedDuration = SignedDuration::from_secs(120);

/// How long a token is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// A file of credentials that cannot be used. Nothing of the file is repeated.
#[derive(Debug, thiserror::Error, koab_core::Say)]
pub(crate) enum BadGoogleFile {
    /// It is not there, or is not a file.
    #[error("the Google credentials at {path} cannot be read: {cause}")]
    Unreadable { path: String, cause: Sentence },
    /// It is another kind of file.
    #[error(
        "the Google credentials are neither a service account's JSON nor that of `gcloud auth application-default login`"
    )]
    Strange,
    /// The key in it is broken.
    #[error(
        "the private key in the Google credentials cannot be used; download the service account's JSON again"
    )]
    Key,
    /// The address in it is none.
    #[error("the Google credentials name no usable token_uri: {0}")]
    TokenUri(#[from] BadBaseUrl),
    /// TLS could not be set up.
    #[error("no connection to Google can be prepared: {0}")]
    Client(Sentence),
}

/// Either kind of file.
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

/// Who asks for a token.
enum Identity {
    Service { email: String, key: KeyPair },
    User { id: String, secret: Sensitive<String>, refresh: Sensitive<String> },
}

/// An account, with the token it has at present.
pub(crate) struct GoogleAccount {
    identity: Identity,
    token_uri: BaseUrl,
    client: Client,
    held: Mutex<Option<(Sensitive<String>, Timestamp)>>,
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
    /// Reads what `GOOGLE_APPLICATION_CREDENTIALS` holds: the path of a file, or its content. Its
    /// tokens are for a purpose.
    ///
    /// # Errors
    /// One sentence on what is wrong with it.
    pub(crate) fn read(path_or_json: &str, purpose: Purpose) -> Result<Self, BadGoogleFile> {
        let given = path_or_json.trim();
        let read;
        let json = if given.starts_with('{') {
            given
        } else {
            let unreadable = |cause: Sentence| BadGoogleFile::Unreadable { path: given.to_owned(), cause };
            let bytes = std::fs::read(given).map_err(|error| unreadable(error.to_sentence()))?;
            read = text_file::decode(bytes).map_err(|why| unreadable(why.to_sentence()))?;
            &read
        };
        // The parser's words could repeat a piece of the key.
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
        let client = http::client(&token_uri, purpose)
            .map_err(|error| BadGoogleFile::Client(http::deepest(&error)))?;
        Ok(GoogleAccount { identity, token_uri, client, held: Mutex::default() })
    }

    /// The token at present, a new one when the last is about to run out. Calls that come together
    /// ask once.
    pub(crate) async fn token(&self, errors: &Errors) -> Result<Sensitive<String>, ModelError> {
        let mut held = self.held.lock().await;
        if let Some((token, end)) = &*held
            && Timestamp::now() + EARLY < *end
        {
            return Ok(token.clone());
        }
        let errors = errors.at(self.token_uri.shown());
        let (token, end) = tokio::time::timeout(PATIENCE, self.ask(&errors))
            .await
            .map_err(|_| errors.unreachable(say!("no token within {} s", PATIENCE.as_secs())))??;
        *held = Some((token.clone(), end));
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
        let seconds = granted.expires_in.unwrap_or(ASSERTED_FOR).clamp(0, 86_400);
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

/// A signed statement of who asks for what (RS256 JWT).
fn assertion(email: &str, key: &KeyPair, token_uri: &BaseUrl, now: Timestamp) -> Option<String> {
    let claims = json!({
        "iss": email,
        "scope": SCOPE,
        "aud": token_uri.itself().as_str(),
        "iat": now.as_second(),
        "exp": now.as_second() + ASSERTED_FOR,
    });
    let encode = |json: serde_json::Value| BASE64_URL_SAFE_NO_PAD.encode(json.to_string());
    let text = format!("{}.{}", encode(json!({"alg": "RS256", "typ": "JWT"})), encode(claims));
    let mut signature = vec![0; key.public_modulus_len()];
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature).ok()?;
    Some(format!("{text}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature)))
}

/// The bytes between the lines that begin and end a PEM text.
fn pkcs8(pem: &str) -> Option<Vec<u8>> {
    let body = pem.trim().strip_prefix(concat!("-----BEGIN ", "PRIVATE KEY-----"))?;
    let body = body.split("-----END").next()?;
    let body: String = body.split_whitespace().collect();
    BASE64_STANDARD.decode(body).ok()
}

#[cfg(test)]
mod tests;
