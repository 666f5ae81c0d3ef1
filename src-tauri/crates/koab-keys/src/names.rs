//! Names of the keys that koab knows, each with the provider or service that uses it
//! (`docs/spec/adapters.md` §3, `docs/spec/tools.md` §8.1).
//!
//! Only these names can be stored: a key under a misspelt name would never be found.

use koab_core::say;
use koab_core::sentence::Sentence;
use koab_providers::registry;
use koab_workspace::connections::Connection;
use std::collections::BTreeSet;

/// Name of the key that signs bundles.
pub const SIGNING_KEY: &str = "KOAB_SIGNING_KEY";

/// Name of a key, with the user of the key: a provider of models, a service behind tools, or a
/// connection (a model server that the user has added).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyName {
    /// Name of the environment variable with the key. A key of one server has a name from
    /// [`at_address`] instead.
    pub(crate) name: String,
    /// A provider of models by its name in the registry, a service behind tools, or a connection.
    pub(crate) asked_by: String,
}

/// Providers and services, each with the names of its keys. `openai_compat` covers all servers that
/// have no key name of their own.
const TABLE: &[(&str, &[&str])] = &[
    ("openai", &["OPENAI_API_KEY"]),
    ("anthropic", &["ANTHROPIC_API_KEY"]),
    ("azure", &["AZURE_API_KEY", "AZURE_API_BASE", "AZURE_API_VERSION"]),
    ("gemini", &["GEMINI_API_KEY"]),
    ("vertex_ai", &["VERTEXAI_PROJECT", "VERTEXAI_LOCATION", "GOOGLE_APPLICATION_CREDENTIALS"]),
    (
        "bedrock",
        &[
            "AWS_BEARER_TOKEN_BEDROCK",
            "AWS_ACCESS_KEY_ID",
            "AWS_SECRET_ACCESS_KEY",
            "AWS_SESSION_TOKEN",
            "AWS_REGION_NAME",
            "AWS_REGION",
        ],
    ),
    (
        "openrouter",
        &["OPENROUTER_API_KEY", "OPENROUTER_APP_URL", "OPENROUTER_REFERER", "OPENROUTER_APP_TITLE"],
    ),
    ("groq", &["GROQ_API_KEY"]),
    ("huggingface", &["HF_TOKEN", "HUGGINGFACE_API_KEY"]),
    ("openai_compat", &["OPENAI_COMPAT_API_KEY"]),
    ("langfuse", &["LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY", "LANGFUSE_ENABLED"]),
    ("aladin", &["ALADIN_API_KEY"]),
    ("daum_search", &["DAUM_API_KEY"]),
    ("kakao_local", &["KAKAO_REST_API_KEY"]),
    ("kis_securities", &["KIS_APP_KEY", "KIS_APP_SECRET"]),
    ("ls_securities", &["LS_APP_KEY", "LS_APP_SECRET"]),
    ("naver_maps", &["Directions_Client_ID", "Directions_Client_Secret"]),
    ("naver_search", &["NAVER_CLIENT_ID", "NAVER_CLIENT_SECRET"]),
    ("tmap", &["TMAP_APP_KEY"]),
    // Used only by koab itself, for the bundles that it signs.
    ("koab", &[SIGNING_KEY]),
];

/// All names that do not depend on a connection: those in [`TABLE`], then names that only the
/// registry of model providers has.
pub(crate) fn all() -> Vec<KeyName> {
    let table = TABLE.iter().flat_map(|(asked_by, names)| names.iter().map(move |name| (*name, *asked_by)));
    let registry = registry::list()
        .iter()
        .flat_map(|provider| provider.keys.iter().map(move |name| (*name, provider.name)));
    let mut unique = BTreeSet::new();
    table
        .chain(registry)
        .filter(|(name, _)| unique.insert(*name))
        .map(|(name, asked_by)| KeyName { name: name.to_owned(), asked_by: asked_by.to_owned() })
        .collect()
}

/// Names in [`TABLE`] that hold no secret: addresses, versions, regions, paths and switches.
const SETTINGS: &[&str] = &[
    "AZURE_API_BASE",
    "AZURE_API_VERSION",
    "VERTEXAI_PROJECT",
    "VERTEXAI_LOCATION",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "AWS_REGION_NAME",
    "AWS_REGION",
    "OPENROUTER_APP_URL",
    "OPENROUTER_REFERER",
    "OPENROUTER_APP_TITLE",
    "LANGFUSE_ENABLED",
];

/// Whether a known name is that of a key. The other names are settings.
pub(crate) fn is_key(name: &str) -> bool {
    !SETTINGS.contains(&name)
}

/// Name of a key for one server, such as `OPENAI_COMPAT_API_KEY@http://gpu1:8000/v1`.
///
/// The name contains the address and not the connection's name, so that reusing a connection's name
/// sends no key to another server.
pub(crate) fn at_address(name: &str, base_url: &str) -> String {
    format!("{name}@{}", base_url.trim().trim_end_matches('/'))
}

/// Provider whose key a name of the form `KEY@ADDRESS` is, see [`at_address`]. `None` for every
/// other name.
pub(crate) fn server_of(name: &str) -> Option<&'static str> {
    let (key, _) = name.split_once('@')?;
    let provider = registry::list().iter().find(|one| one.keys.contains(&key))?;
    Some(provider.name)
}

/// Names of the keys for the servers of the given connections.
pub(crate) fn of_connections(connections: &[Connection]) -> Vec<KeyName> {
    let mut names: Vec<KeyName> = Vec::new();
    for connection in connections {
        let entry = registry::list().iter().find(|one| one.name == connection.provider);
        let key = entry.and_then(|provider| provider.keys.first());
        let (Some(key), Some(base_url)) = (key, &connection.base_url) else {
            continue;
        };
        let name = at_address(key, base_url);
        if names.iter().all(|one| one.name != name) {
            names.push(KeyName { name, asked_by: connection.name.clone() });
        }
    }
    names
}

/// Names of the keys that a provider of models uses.
pub(crate) fn of_provider(provider: &registry::Provider) -> Vec<&'static str> {
    let own = TABLE.iter().filter(|(asked_by, _)| *asked_by == provider.name).flat_map(|(_, names)| *names);
    let mut names: Vec<&str> = provider.keys.iter().chain(own).copied().collect();
    let mut unique = BTreeSet::new();
    names.retain(|name| unique.insert(*name));
    names
}

/// Finds the known name for the text that a user typed. Letter case does not matter.
///
/// # Errors
/// One sentence with similar names. It does not repeat the typed text, because people paste the key
/// itself.
pub(crate) fn find(typed: &str) -> Result<String, Sentence> {
    let typed = typed.trim();
    let names = all();
    if let Some(key) = names.iter().find(|key| key.name.eq_ignore_ascii_case(typed)) {
        return Ok(key.name.clone());
    }
    if let Some((name, base_url)) = typed.split_once('@') {
        let mut keys = registry::list().iter().flat_map(|provider| provider.keys);
        if let Some(key) = keys.find(|key| key.eq_ignore_ascii_case(name)) {
            return match registry::check_base_url(base_url.trim()) {
                Ok(()) => Ok(at_address(key, base_url)),
                Err(_) => Err(say!(
                    "the text after @ is not the address of a server; give one like http://localhost:8000/v1"
                )),
            };
        }
    }
    if typed.contains('=') {
        return Err(say!(
            "give the name alone; the value is asked for, or read from stdin, and never belongs on the command line"
        ));
    }
    let near = near(typed, &names);
    Err(if near.is_empty() {
        say!("no known key has this name; `koab keys list` shows all names")
    } else {
        say!(
            "no known key has this name; similar names are {}; `koab keys list` shows all names",
            near.join(", ")
        )
    })
}

/// Whether a text looks like the name of a variable, and not like part of a key.
pub(crate) fn looks_like_one(name: &str) -> bool {
    name.len() <= 64 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Up to three known names that are similar to the typed text, most similar first.
fn near<'a>(typed: &str, known: &'a [KeyName]) -> Vec<&'a str> {
    let typed = typed.to_ascii_uppercase();
    let mut near: Vec<(f64, &'a str)> = known
        .iter()
        .map(|known| {
            let name = known.name.to_ascii_uppercase();
            let likeness = strsim::normalized_damerau_levenshtein(&name, &typed);
            // A prefix such as `openai` or `KAKAO` counts as similar, however much is missing.
            let is_prefix = typed.len() >= 3 && name.starts_with(&typed);
            (if is_prefix { likeness.max(0.9) } else { likeness }, known.name.as_str())
        })
        .filter(|(likeness, _)| *likeness >= 0.6)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    near.truncate(3);
    near.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_whatever_their_case_and_near_ones_are_offered() {
        for (typed, expected) in [
            ("OPENAI_API_KEY", Ok("OPENAI_API_KEY")),
            ("  tmap_app_key ", Ok("TMAP_APP_KEY")),
            ("DIRECTIONS_CLIENT_ID", Ok("Directions_Client_ID")),
            ("openai_compat_api_key@http://gpu1:8000/v1/", Ok("OPENAI_COMPAT_API_KEY@http://gpu1:8000/v1")),
            ("TMAP_APP_KEY@http://gpu1:8000/v1", Err("no known key has this name")),
            ("OPENAI_API_KEY@gpu1", Err("the text after @")),
            ("OPENAI_APIKEY", Err("similar names are OPENAI_API_KEY")),
            ("OPENIA_API_KEY", Err("OPENAI_API_KEY")),
            ("kakao", Err("KAKAO_REST_API_KEY")),
            ("OPENAI_API_KEY=sk-abc", Err("give the name alone")),
            ("", Err("no known key has this name; `koab keys list`")),
            ("WEATHER", Err("no known key has this name; `koab keys list`")),
        ] {
            match (find(typed), expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                (Err(said), Err(part)) => assert!(said.to_string().contains(part), "{typed}: {said}"),
                (found, _) => panic!("{typed}: {found:?}"),
            }
        }
    }

    #[test]
    fn a_key_pasted_as_a_name_is_not_repeated() {
        for pasted in
            ["sk-proj-Zq81", "OPENAI_API_KEY=sk-proj-Zq81", "OPENAI_API_KEY@sk-Zq81", "hf_Zq81Zq81Zq81"]
        {
            let said = find(pasted).expect_err("no name");
            assert!(!said.to_string().contains("Zq81"), "{said}");
        }
    }

    #[test]
    fn every_key_of_the_registry_is_known_once() {
        let all = all();
        for provider in registry::list() {
            for key in provider.keys {
                assert_eq!(all.iter().filter(|known| known.name == *key).count(), 1, "{key}");
                assert!(of_provider(provider).contains(key));
            }
        }
    }

    #[test]
    fn a_setting_is_a_known_name_that_no_request_authenticates_with() {
        let all = all();
        for name in SETTINGS {
            assert!(all.iter().any(|known| known.name == *name), "{name}");
        }
        assert!(is_key("OPENAI_API_KEY") && is_key(SIGNING_KEY) && !is_key("AZURE_API_BASE"));
    }
}
