//! What a model is asked with: a key as it is, or a token made of other credentials and renewed
//! before it runs out.

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
    /// None: servers on this machine ask for none.
    Nothing,
    /// Sent as it is.
    Key(Sensitive<String>),
    /// An account of Google Cloud.
    Google(GoogleAccount),
    /// Access keys of AWS.
    Aws(AwsKeys),
}

impl Credential {
    /// What to send now. Asks Google for a new token when the last one is about to run out.
    ///
    /// # Errors
    /// When Google gives none.
    pub(crate) async fn token(&self, errors: &Errors) -> Result<Sensitive<String>, ModelError> {
        match self {
            // The libraries below want some text; a server that asks for no key looks at none.
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
