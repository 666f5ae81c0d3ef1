//! What requests to other computers are for: the closed list of everything that may ever leave this one.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A turn of a model under test, and its login.
    Model,
    /// A judge's verdict, and its login.
    Judge,
    /// A model call of a scenario, made by the gateway for it.
    Scenario,
    /// A pack or what is published of one, from a hub.
    Pack,
    /// The archive of a repository.
    Archive,
    /// A model's description or files, from a hub.
    Weights,
    /// A scenario benchmark, from an index on the web.
    Benchmark,
    /// A tool's real service in write mode, and its login.
    Service,
    /// A page behind a search result in write mode.
    Page,
    /// The collector of spans.
    Collector,
    /// A container engine on another computer.
    Engine,
    /// A container image that the engine here fetches for us, or what its build fetches.
    Image,
    /// A link that is opened in the browser.
    Link,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Self; 13] = [
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
    ];
}

/// How a sentence about it begins.
impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Model => "the model",
            Self::Judge => "the judge",
            Self::Scenario => "the scenario's model",
            Self::Pack => "the pack",
            Self::Archive => "the archive",
            Self::Weights => "the pull of the model",
            Self::Benchmark => "the benchmark",
            Self::Service => "the service behind the tool",
            Self::Page => "the page",
            Self::Collector => "the collector of spans",
            Self::Engine => "the container engine",
            Self::Image => "the container image",
            Self::Link => "the link",
        })
    }
}
