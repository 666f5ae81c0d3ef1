//! Opens models whose address or credentials need more than a base URL and a key
//! (`docs/spec/adapters.md` §3).
//!
//! Each of these providers accepts a base URL instead of its own address. Credentials are optional
//! then, since that server decides whether to require them; existing ones are sent.

use crate::credentials::{AwsKeys, Credential, GoogleAccount};
use crate::http::Network;
use crate::native::{Native, NativeEndpoint, Protocol};
use crate::openai_compat::{BaseUrl, Dialect, Endpoint, OpenAiCompat};
use crate::registry::{KeySource, OpenError, Provider};
use koab_core::sensitive::Sensitive;
use koab_engine::egress::Purpose;
use koab_engine::ports::ModelAdapter;
use std::sync::Arc;

/// Opens a model of one of these providers.
pub(super) fn open(
    network: &Network,
    provider: &'static Provider,
    model: &str,
    base_url: Option<&str>,
    keys: KeySource<'_>,
    purpose: Purpose,
) -> Result<Arc<dyn ModelAdapter>, OpenError> {
    let source = Source { network, provider: provider.name, base_url, keys, purpose };
    let (protocol, address, credential) = match provider.name {
        "anthropic" => {
            (Protocol::Anthropic, source.address(|| own_address(provider))?, source.key("ANTHROPIC_API_KEY")?)
        }
        "gemini" => {
            (Protocol::Gemini, source.address(|| own_address(provider))?, source.key("GEMINI_API_KEY")?)
        }
        "vertex_ai" => {
            if !(model.starts_with("gemini") || model.starts_with("claude")) {
                return Err(OpenError::NotOnVertex(model.to_owned()));
            }
            let address = source.address(|| source.vertex_address())?;
            (Protocol::Vertex, address, source.google()?)
        }
        "bedrock" => {
            let region = source.first(&["AWS_REGION_NAME", "AWS_REGION"]);
            let address = source.address(|| {
                let region = source.needed(region.clone(), "a region", "AWS_REGION_NAME")?;
                Ok(format!("https://bedrock-runtime.{region}.amazonaws.com"))
            })?;
            (Protocol::Bedrock, address, source.aws(region)?)
        }
        _ => return source.azure(model),
    };
    let endpoint = NativeEndpoint {
        protocol,
        base_url: BaseUrl::parse(&address)?,
        model: model.to_owned(),
        credential,
        network: network.clone(),
        purpose,
    };
    Ok(Arc::new(Native::new(endpoint)?))
}

fn own_address(provider: &Provider) -> Result<String, OpenError> {
    let address = provider.base_url().map(str::to_owned);
    address.ok_or(OpenError::NoBaseUrl)
}

/// Source of the settings of one provider.
struct Source<'a> {
    network: &'a Network,
    provider: &'static str,
    base_url: Option<&'a str>,
    keys: KeySource<'a>,
    purpose: Purpose,
}

impl Source<'_> {
    fn address(&self, own: impl FnOnce() -> Result<String, OpenError>) -> Result<String, OpenError> {
        self.base_url.map_or_else(own, |url| Ok(url.to_owned()))
    }

    /// Value of the first of these settings that is set. Settings are not secret.
    fn first(&self, names: &[&str]) -> Option<String> {
        let value = names.iter().find_map(|name| (self.keys)(name))?;
        Some(value.into_exposed().trim().to_owned()).filter(|value| !value.is_empty())
    }

    fn needed(
        &self,
        value: Option<String>,
        what: &'static str,
        name: &'static str,
    ) -> Result<String, OpenError> {
        value.ok_or(OpenError::NoSetting { provider: self.provider, what, name })
    }

    /// Result for missing credentials: they are an error at the provider's own address, and allowed
    /// at an address that the user gave.
    fn nothing(&self, name: &'static str) -> Result<Credential, OpenError> {
        match self.base_url {
            Some(_) => Ok(Credential::Nothing),
            None => Err(OpenError::NoKey { provider: self.provider, name }),
        }
    }

    fn key(&self, name: &'static str) -> Result<Credential, OpenError> {
        match (self.keys)(name) {
            Some(key) => Ok(Credential::Key(key)),
            None => self.nothing(name),
        }
    }

    fn vertex_address(&self) -> Result<String, OpenError> {
        let project = self.first(&["VERTEXAI_PROJECT"]);
        let project = self.needed(project, "a project", "VERTEXAI_PROJECT")?;
        let location = self.first(&["VERTEXAI_LOCATION"]);
        let location = location.unwrap_or_else(|| "global".to_owned());
        let host = match location.as_str() {
            "global" => "aiplatform.googleapis.com".to_owned(),
            _ => format!("{location}-aiplatform.googleapis.com"),
        };
        Ok(format!("https://{host}/v1/projects/{project}/locations/{location}"))
    }

    fn google(&self) -> Result<Credential, OpenError> {
        const NAME: &str = "GOOGLE_APPLICATION_CREDENTIALS";
        match (self.keys)(NAME) {
            Some(file) => GoogleAccount::read(self.network, file.expose(), self.purpose)
                .map(Credential::Google)
                .map_err(|error| OpenError::GoogleCredentials(error.to_string())),
            None => self.nothing(NAME),
        }
    }

    fn aws(&self, region: Option<String>) -> Result<Credential, OpenError> {
        const BEARER: &str = "AWS_BEARER_TOKEN_BEDROCK";
        if let Some(token) = (self.keys)(BEARER) {
            return Ok(Credential::Key(token));
        }
        let (id, secret) = ((self.keys)("AWS_ACCESS_KEY_ID"), (self.keys)("AWS_SECRET_ACCESS_KEY"));
        match (id, secret) {
            (Some(id), Some(secret)) => Ok(Credential::Aws(AwsKeys {
                id,
                secret,
                session: (self.keys)("AWS_SESSION_TOKEN"),
                region: self.needed(region, "a region", "AWS_REGION_NAME")?,
            })),
            (Some(_), None) => self.nothing("AWS_SECRET_ACCESS_KEY"),
            (None, _) => self.nothing(BEARER),
        }
    }

    /// Azure supports Chat Completions; only the address and the key's header differ (§10.6).
    fn azure(&self, model: &str) -> Result<Arc<dyn ModelAdapter>, OpenError> {
        let resource = self.first(&["AZURE_API_BASE"]);
        let base =
            self.address(|| self.needed(resource, "the address of your resource", "AZURE_API_BASE"))?;
        let version = self.first(&["AZURE_API_VERSION"]);
        let key: Option<Sensitive<String>> = match self.key("AZURE_API_KEY")? {
            Credential::Key(key) => Some(key),
            _ => None,
        };
        // The address is parsed before anything is appended, so that an error shows the user's
        // input.
        BaseUrl::parse(&base)?;
        let endpoint = Endpoint {
            base_url: BaseUrl::parse(&azure_address(&base, model, version.as_deref()))?,
            model: model.to_owned(),
            key,
            dialect: Dialect::Azure,
            network: self.network.clone(),
            purpose: self.purpose,
        };
        Ok(Arc::new(OpenAiCompat::new(endpoint)?))
    }
}

/// Address of a deployment. A complete address is used as given. Otherwise it has the dated form if
/// a version is set, and the versionless form if not.
fn azure_address(base: &str, deployment: &str, version: Option<&str>) -> String {
    let (path, query) = base.split_once('?').map_or((base, None), |(path, query)| (path, Some(query)));
    let path = path.trim_end_matches('/');
    let dated = version.filter(|version| !matches!(*version, "v1" | "preview" | "latest"));
    let query = query.map_or_else(
        || dated.map(|version| format!("?api-version={version}")),
        |query| Some(format!("?{query}")),
    );
    let query = query.unwrap_or_default();
    if path.ends_with("/v1") {
        path.to_owned()
    } else if path.contains("/deployments/") {
        format!("{path}{query}")
    } else if query.contains("api-version=") {
        let path = path.trim_end_matches("/openai");
        format!("{path}/openai/deployments/{deployment}{query}")
    } else {
        let path = path.trim_end_matches("/openai");
        format!("{path}/openai/v1{query}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn azure_addresses_are_completed() {
        for (base, version, expected) in [
            ("https://r.x", None, "https://r.x/openai/v1"),
            ("https://r.x/openai/", Some("v1"), "https://r.x/openai/v1"),
            (
                "https://r.x/",
                Some("2024-12-01-preview"),
                "https://r.x/openai/deployments/d/chat?api-version=2024-12-01-preview",
            ),
            ("https://r.x/openai/v1/", Some("2024-12-01"), "https://r.x/openai/v1"),
            (
                "https://r.x/openai/deployments/e?api-version=1",
                None,
                "https://r.x/openai/deployments/e/chat?api-version=1",
            ),
        ] {
            let address = azure_address(base, "d", version);
            let joined = BaseUrl::parse(&address).expect("an address").join("chat").to_string();
            assert_eq!(joined.trim_end_matches("/chat"), expected, "{base}");
        }
    }
}
