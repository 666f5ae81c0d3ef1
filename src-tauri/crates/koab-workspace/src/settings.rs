//! What the user set once for all: kept in the workspace, so that window, browser and command line
//! agree.
//!
//! A setting is a default: what a command or a request says goes first. Where the workspace lies
//! cannot be kept in it and is in `dirs.rs`.

use crate::HomeOrigin;
use crate::WireError;
use crate::connections::{self, Connection};
use crate::egress::OfflineView;
use crate::{Workspace, clock};
use koab_core::say;
use koab_core::sentence::{Language, Sentence, ToSentence};
use koab_providers::Proxy;
use koab_providers::collector::Collector;
use serde::{Deserialize, Serialize};
use std::path::Path;
use ts_rs::TS;

const NAME: &str = "settings";

/// The user's settings. Every field has a default, so that a workspace of an older or newer version
/// is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(export)]
pub struct Settings {
    /// Language of window and command line; `null` means the system's.
    pub language: Option<Language>,
    /// Light, dark or as the system.
    pub theme: Theme,
    /// Attempts in flight where a run does not say; `null` means automatic.
    pub concurrency: Option<u32>,
    /// Models `provider/model`, or `connection/model`, that judge where the window scores a run.
    pub judges: Vec<String>,
    /// Providers at an address, under names of the user's.
    pub connections: Vec<Connection>,
    /// USD that all runs of the workspace may cost a day.
    pub max_cost_per_day: Option<f64>,
    /// Tokens that all runs of the workspace may take a day.
    #[ts(type = "number | null")]
    pub max_total_tokens_per_day: Option<u64>,
    /// Which proxy requests to models go through.
    pub proxy: ProxyMode,
    /// Address of the proxy, for [`ProxyMode::Address`]; holds no password.
    pub proxy_address: String,
    /// Collector that runs of the window send their spans to; empty sends nothing. Holds no secret.
    pub otlp_endpoint: String,
    /// Whether prompts, answers, arguments and results go along; never without a collector.
    pub otlp_content: bool,
    /// Who overrides judges' verdicts here, as the dialog suggests it; empty until somebody did.
    pub reviewer: String,
    /// Whether the first start has been gone through or left.
    pub welcomed: bool,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Theme {
    /// As the system.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Where the proxy is taken from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ProxyMode {
    /// `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, or the system's own settings.
    #[default]
    System,
    /// None, whatever the environment says.
    Direct,
    /// The address given here.
    Address,
}

/// The settings with what a reader of them wants to see beside.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SettingsView {
    /// The settings.
    pub settings: Settings,
    /// The workspace folder of this process.
    pub home: String,
    /// Why it is that folder.
    pub home_origin: HomeOrigin,
    /// The folder that the next start uses, where that is another one.
    pub next_home: Option<String>,
    /// The user's own price table; it need not exist.
    pub prices_file: String,
    /// Names of the environment variables for proxies that are set here, their values left out.
    pub proxy_variables: Vec<String>,
    /// Whether koab is offline; no setting like the others, so that it counts also where these
    /// cannot be read.
    pub offline: OfflineView,
    /// USD spent today by all runs of the workspace, calls in flight included.
    pub spent_today_usd: f64,
    /// Tokens taken today likewise.
    #[ts(type = "number")]
    pub spent_today_tokens: u64,
}

impl Workspace {
    /// The settings and what stands beside them.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn settings_get(&self) -> Result<SettingsView, WireError> {
        let settings = self.settings()?;
        let spent = self.store()?.spent_on(&clock::today())?;
        let home = self.home().path().display().to_string();
        Ok(SettingsView {
            settings,
            home_origin: self.home().origin(),
            next_home: self.next_home(),
            home,
            prices_file: self.home().prices().display().to_string(),
            proxy_variables: proxy_variables(),
            offline: self.offline(),
            spent_today_usd: spent.cost,
            spent_today_tokens: spent.tokens,
        })
    }

    /// As [`Workspace::offline_set`], for a screen that shows all settings.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn offline_set_in_view(&self, on: bool) -> Result<SettingsView, WireError> {
        self.offline_set(on)?;
        self.settings_get()
    }

    /// Keeps these settings in place of the earlier ones.
    ///
    /// # Errors
    /// When one of them makes no sense, or the workspace cannot be written.
    pub fn settings_set(&self, settings: Settings) -> Result<SettingsView, WireError> {
        let settings = checked(settings)?;
        let text = serde_json::to_string(&settings).map_err(WireError::internal)?;
        self.store()?.set_setting(NAME, Some(&text))?;
        self.settings_get()
    }

    /// Has later starts use another workspace, or with `None` the system's folder again. What lies
    /// in the workspace of today is not moved. `--home` and `KOAB_HOME` still go first. Answers the
    /// folder that the next start uses, where that is another one. Works also where the workspace
    /// of today cannot be opened.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn workspace_choose(&self, folder: Option<&str>) -> Result<Option<String>, WireError> {
        crate::home::choose(folder.map(str::trim).filter(|folder| !folder.is_empty()).map(Path::new))?;
        Ok(self.next_home())
    }

    fn next_home(&self) -> Option<String> {
        self.home().next().map(|folder| folder.display().to_string())
    }

    /// The settings as they are kept; those of a newer version that say what this one does not know
    /// are read as far as that goes.
    pub fn settings(&self) -> Result<Settings, WireError> {
        let kept = self.store()?.setting(NAME)?;
        Ok(kept.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// The user's connections; none where there is no workspace yet, which is not made for them.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn connections(&self) -> Result<Vec<Connection>, WireError> {
        if !self.home().database().exists() {
            return Ok(Vec::new());
        }
        Ok(self.settings()?.connections)
    }

    /// Language of the user's choice, else the system's. Opens no workspace that is not there.
    pub fn language(&self) -> Language {
        let chosen = self.home().database().exists().then(|| self.settings().ok()?.language).flatten();
        chosen.unwrap_or_else(system_language)
    }

    /// The proxy that requests to models go through.
    pub fn proxy(&self) -> Result<Proxy, WireError> {
        let settings = self.settings()?;
        Ok(match settings.proxy {
            ProxyMode::System => Proxy::System,
            ProxyMode::Direct => Proxy::Direct,
            ProxyMode::Address => Proxy::Address(settings.proxy_address),
        })
    }
}

fn checked(mut settings: Settings) -> Result<Settings, WireError> {
    let bad = |why: Sentence| Err(WireError::bad_request(why));
    if settings.concurrency.is_some_and(|n| !(1..=256).contains(&n)) {
        return bad(say!(
            "attempts in flight must be between 1 and 256; leave the field empty for automatic"
        ));
    }
    if settings.max_cost_per_day.is_some_and(|cap| !cap.is_finite() || cap <= 0.0) {
        return bad(say!("the day's budget must be above 0 USD; leave the field empty for none"));
    }
    settings.judges =
        settings.judges.iter().map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect();
    settings.connections = connections::checked(settings.connections)?;
    for id in &settings.judges {
        connections::check_id(&settings.connections, id)?;
    }
    settings.proxy_address = settings.proxy_address.trim().to_owned();
    if settings.proxy == ProxyMode::Address {
        Proxy::Address(settings.proxy_address.clone()).check().map_err(WireError::bad_request)?;
    }
    settings.otlp_endpoint = settings.otlp_endpoint.trim().to_owned();
    if settings.otlp_endpoint.is_empty() {
        // Who names another collector later decides anew what it gets.
        settings.otlp_content = false;
    } else {
        Collector::new(&settings.otlp_endpoint, false, None)
            .map_err(|error| WireError::bad_request(error.to_sentence()))?;
    }
    Ok(settings)
}

/// The language of the system's locale, English where the product does not have it.
pub fn system_language() -> Language {
    sys_locale::get_locale().map_or_else(Language::default, |locale| Language::of_locale(&locale))
}

fn proxy_variables() -> Vec<String> {
    ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]
        .iter()
        .flat_map(|name| [(*name).to_owned(), name.to_lowercase()])
        .filter(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn api(folder: &std::path::Path) -> Workspace {
        Workspace::open(Some(folder.to_owned())).expect("opened")
    }

    #[test]
    fn settings_are_kept_in_the_workspace() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings {
            language: Some(Language::KOREAN),
            theme: Theme::Dark,
            concurrency: Some(3),
            max_cost_per_day: Some(1.5),
            judges: vec![" azure/gpt-4o ".to_owned(), " ".to_owned()],
            ..Settings::default()
        };
        api(folder.path()).settings_set(settings).expect("kept");
        let again = api(folder.path());
        let view = again.settings_get().expect("read");
        assert_eq!(view.settings.judges, ["azure/gpt-4o"]);
        assert_eq!((view.settings.theme, again.language()), (Theme::Dark, Language::KOREAN));
        assert_eq!((view.spent_today_usd, view.home_origin), (0.0, HomeOrigin::Asked));
    }

    #[test]
    fn settings_that_make_no_sense_are_refused_and_the_earlier_ones_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let api = api(folder.path());
        let address = |proxy_address: &str| Settings {
            proxy: ProxyMode::Address,
            proxy_address: proxy_address.to_owned(),
            ..Settings::default()
        };
        for (settings, why) in [
            (Settings { concurrency: Some(0), ..Settings::default() }, "attempts in flight must be"),
            (Settings { max_cost_per_day: Some(-1.0), ..Settings::default() }, "the day's budget must be"),
            (
                Settings { judges: vec!["gpt-4o".to_owned()], ..Settings::default() },
                "`gpt-4o` is not a model id",
            ),
            (address("proxy"), "the proxy's address must"),
            (
                Settings {
                    otlp_endpoint: "http://me:secret@collector:4318".to_owned(),
                    ..Settings::default()
                },
                "the collector's address must hold no",
            ),
            (address("http://me:secret@proxy:8080"), "the proxy's address must hold no"),
        ] {
            let error = api.settings_set(settings).expect_err("refused").message;
            assert!(error.to_string().starts_with(why), "{error}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
        api.settings_set(address("http://proxy:8080")).expect("kept");
        assert_eq!(api.settings_get().expect("read").settings.proxy_address, "http://proxy:8080");
    }

    #[test]
    fn a_workspace_without_settings_or_with_newer_ones_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let api = api(folder.path());
        assert_eq!(api.settings_get().expect("read").settings, Settings::default());
        let newer = r#"{"theme": "light", "hologram": true}"#;
        api.store().expect("opened").set_setting(NAME, Some(newer)).expect("kept");
        assert_eq!(api.settings().expect("read").theme, Theme::Light);
    }
}
