//! Credentials for requests to a model: a key, or a token that is made from other credentials and
//! renewed before it expires.

mod aws;
mod google;

pub(crate) use aws::AwsKeys;
pub(crate) use google::GoogleAccount;

use crate::http::Errors;
use koab_core::sensitive::Sensitive;
use koab_engine::ports::ModelError;

/// The credentials of one model.
#[derive(Debug)]
pub(crate) enum Credential {
    /// No credentials: servers on this machine require none.
    Nothing,
    /// A key that is sent as it is.
    Key(Sensitive<String>),
    /// An account of Google Cloud.
    Google(GoogleAccount),
    /// Access keys of AWS.
    Aws(AwsKeys),
}

impl Credential {
    /// The secret text for the next request. Requests a new token from Google if the last one is
    /// about to expire.
    ///
    /// # Errors
    /// When Google grants no token.
    pub(crate) async fn token(&self, errors: &Errors) -> Result<Sensitive<String>, ModelError> {
        match self {
            // The libraries need some text; a server without keys ignores it.
            Credential::Nothing => Ok(Sensitive::new("none".to_owned())),
            Credential::Key(key) => Ok(Sensitive::new(key.expose().trim().to_owned())),
            Credential::Google(account) => account.token(errors).await,
            Credential::Aws(keys) => Ok(keys.token(jiff::Timestamp::now())),
        }
    }

    /// The texts that must not be shown.
    pub(crate) fn secrets(&self) -> Vec<Sensitive<String>> {
        match self {
            Credential::Key(key) => vec![key.clone()],
            Credential::Aws(keys) => keys.secrets(),
            Credential::Nothing | Credential::Google(_) => Vec::new(),
        }
    }
}
