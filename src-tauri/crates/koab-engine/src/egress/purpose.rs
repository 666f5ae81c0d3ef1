//! Purposes of requests to other computers: the complete list.

use serde::{Deserialize, Serialize};

/// Purpose of a request to another computer.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, koab_core::Say,
)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export, rename = "EgressPurpose"))]
pub enum Purpose {
    /// A turn of a model under test, or the login to the model's provider.
    #[say("the model")]
    Model,
    /// A verdict of a judge model, or the login to the judge's provider.
    #[say("the judge")]
    Judge,
    /// A model call of a scenario, made by the gateway for it.
    #[say("the scenario's model")]
    Scenario,
    /// A pack or its published dataset, from a hub.
    #[say("the pack")]
    Pack,
    /// The archive of a repository.
    #[say("the archive")]
    Archive,
    /// A model's description or files, from a hub.
    #[say("the pull of the model")]
    Weights,
    /// A scenario benchmark, from an index on the web.
    #[say("the benchmark")]
    Benchmark,
    /// A tool's live API in write mode, or the login to this API.
    #[say("the service behind the tool")]
    Service,
    /// A web page behind a search result, in write mode.
    #[say("the page")]
    Page,
    /// The server that collects the spans of a run (OpenTelemetry).
    #[say("the collector of spans")]
    Collector,
    /// A container engine on another computer.
    #[say("the container engine")]
    Engine,
    /// A container image that the local container engine downloads, or files that it downloads to
    /// build an image.
    #[say("the container image")]
    Image,
    /// A link that is opened in the browser.
    #[say("the link")]
    Link,
    /// The next version of this program's window.
    #[say("the update")]
    Update,
}

impl Purpose {
    /// All purposes.
    pub const ALL: [Self; 14] = [
        Self::Model,
        Self::Judge,
        Self::Scenario,
        Self::Pack,
        Self::Archive,
        Self::Weights,
        Self::Benchmark,
        Self::Service,
        Self::Page,
        Self::Collector,
        Self::Engine,
        Self::Image,
        Self::Link,
        Self::Update,
    ];
}
