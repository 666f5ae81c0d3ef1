//! Settings of the user. They are stored in the workspace, so that window, browser and command line
//! agree.
//!
//! A setting is a default: options of a command or request take precedence. The location of the
//! workspace cannot be stored in it; see `home.rs`.

use crate::HomeOrigin;
use crate::WireError;
use crate::connections::{self, Connection};
use crate::egress::OfflineView;
use crate::{Workspace, clock};
use koab_core::say;
use koab_core::sentence::{Language, Sentence, ToSentence};
use koab_engine::disk_work;
use koab_engine::egress::Gate;
use koab_providers::collector::Collector;
use koab_providers::{Network, Proxy};
use serde::{Deserialize, Serialize};
use std::path::Path;
use ts_rs::TS;

const NAME: &str = "settings";

/// Settings of the user. Every field has a default, so that settings of an older or newer version
/// can be read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
#[ts(export)]
pub struct Settings {
    /// Language of window and command line. `null` means the system's.
    pub language: Option<Language>,
    /// Colours of the window.
    pub theme: Theme,
    /// Number of attempts in flight by default. `null` means automatic.
    pub concurrency: Option<u32>,
    /// Judges for scoring in the window, as `provider/model` or `connection/model`.
    pub judges: Vec<String>,
    /// Connections: servers of models, under the user's own names.
    pub connections: Vec<Connection>,
    /// Maximum cost in USD of all runs of the workspace per day.
    pub max_cost_per_day: Option<f64>,
    /// Maximum number of tokens of all runs of the workspace per day.
    #[ts(type = "number | null")]
    pub max_total_tokens_per_day: Option<u64>,
    /// Proxy for requests to models.
    pub proxy: ProxyMode,
    /// Address of the proxy, for [`ProxyMode::Address`]. It contains no password.
    pub proxy_address: String,
    /// OpenTelemetry collector for the spans of runs in the window. If it is empty, no spans are
    /// sent. It contains no secret.
    pub otlp_endpoint: String,
    /// Whether spans include prompts, answers, arguments and results. It is always false without a
    /// collector.
    pub otlp_content: bool,
    /// Suggested name for human overrides in the dialog. It is empty until the user has made an
    /// override.
    pub reviewer: String,
    /// Whether the welcome screens have been completed or skipped.
    pub welcomed: bool,
}

/// Colours of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum Theme {
    /// The colours of the operating system.
    #[default]
    System,
    /// Light colours.
    Light,
    /// Dark colours.
    Dark,
}

/// Source of the proxy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum ProxyMode {
    /// `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, or the system's own settings.
    #[default]
    System,
    /// No proxy, regardless of the environment.
    Direct,
    /// The address in the settings.
    Address,
}

/// Settings, with everything else that the settings screen shows.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SettingsView {
    /// The settings.
    pub settings: Settings,
    /// Folder of this process's workspace.
    pub home: String,
    /// Reason for that folder.
    pub home_origin: HomeOrigin,
    /// Folder that the next start will use, if it differs.
    pub next_home: Option<String>,
    /// File of the user's price table. It need not exist.
    pub prices_file: String,
    /// Names of the proxy variables that are set in the environment, without their values.
    pub proxy_variables: Vec<String>,
    /// Offline state. It is stored apart from the other settings, so that it applies even when
    /// these cannot be read.
    pub offline: OfflineView,
    /// USD spent today by all runs of the workspace, including calls in flight.
    pub spent_today_usd: f64,
    /// Number of tokens used today by all runs of the workspace, including calls in flight.
    #[ts(type = "number")]
    pub spent_today_tokens: u64,
}

impl Workspace {
    /// Settings, with the folders, the proxy variables, the offline state and today's spending.
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

    /// Sets the offline switch like [`Workspace::offline_set`], and returns all settings.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn offline_set_in_view(&self, on: bool) -> Result<SettingsView, WireError> {
        self.offline_set(on)?;
        self.settings_get()
    }

    /// Replaces the settings.
    ///
    /// # Errors
    /// When a setting is not valid, or the workspace cannot be written.
    pub fn settings_set(&self, settings: Settings) -> Result<SettingsView, WireError> {
        let settings = checked(settings, self.gate())?;
        let text = serde_json::to_string(&settings).map_err(WireError::internal)?;
        self.store()?.set_setting(NAME, Some(&text))?;
        self.settings_get()
    }

    /// Makes later starts use another workspace, or the system's default for `None`.
    ///
    /// The current workspace is not moved. `--home` and `KOAB_HOME` still take precedence. Returns
    /// the folder that the next start will use, if it differs. Works even when the current
    /// workspace cannot be opened.
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

    /// Stored settings. Unknown fields of a newer version are ignored.
    pub fn settings(&self) -> Result<Settings, WireError> {
        let text = self.store()?.setting(NAME)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// Connections of the user. Empty when no workspace exists yet; none is created.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn connections(&self) -> Result<Vec<Connection>, WireError> {
        if !self.home().database().exists() {
            return Ok(Vec::new());
        }
        Ok(self.settings()?.connections)
    }

    /// Language that the user chose, otherwise the system's. Does not create a workspace.
    pub fn language(&self) -> Language {
        let chosen = self.home().database().exists().then(|| self.settings().ok()?.language).flatten();
        chosen.unwrap_or_else(system_language)
    }

    /// Network for new clients: the gate, and the proxy of the settings. Does not create a
    /// workspace. May be called in async functions.
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub fn network(&self) -> Result<Network, WireError> {
        let proxy = disk_work(|| {
            if self.home().database().exists() { self.settings().map(proxy_of) } else { Ok(Proxy::System) }
        })?;
        Ok(Network::new(self.gate().clone(), proxy))
    }
}

fn proxy_of(settings: Settings) -> Proxy {
    match settings.proxy {
        ProxyMode::System => Proxy::System,
        ProxyMode::Direct => Proxy::Direct,
        ProxyMode::Address => Proxy::Address(settings.proxy_address),
    }
}

fn checked(mut settings: Settings, gate: &Gate) -> Result<Settings, WireError> {
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
        // The content option is reset, so that naming another collector later requires a new
        // decision.
        settings.otlp_content = false;
    } else {
        let network = Network::new(gate.clone(), Proxy::System);
        Collector::new(&network, &settings.otlp_endpoint, false, None)
            .map_err(|error| WireError::bad_request(error.to_sentence()))?;
    }
    Ok(settings)
}

/// Language of the system's locale, or English if the product does not have it.
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
