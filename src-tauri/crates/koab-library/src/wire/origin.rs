//! Origin of a requested run: a new run, or one that continues or completes another run.

use serde::{Deserialize, Serialize};
use ts_rs::{Config, TS, TypeVisitor};

/// A shard of a run: the part of the attempts that one worker makes, if several workers share the
/// run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ShardRequest {
    /// 0-based shard number.
    pub index: u32,
    /// Number of shards.
    pub of: u32,
}

/// Origin of a requested run.
///
/// A resumed run has its own settings, except the concurrency, the address and the caps, which the
/// request may change. The model of the request may then be empty. The same applies to
/// [`Origin::Completes`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "OriginFields", into = "OriginFields")]
pub enum Origin {
    /// A new run with the settings of the request.
    #[default]
    New,
    /// The unfinished part of a run.
    Resume {
        /// The run, by id or folder, or `last`.
        run: String,
        /// Whether to resume the run on this computer even if a cluster engine does not answer
        /// whether its workers are making the run.
        without_engine: bool,
    },
    /// A new run of those tasks of another run whose cache misses have been filled.
    Completes {
        /// The other run, by id or folder. In a request whose settings are complete it is the id.
        run: String,
    },
    /// One shard of a run. Other workers make the other shards.
    Shard {
        /// The run, by id or folder, or `last`.
        run: String,
        /// The shard that this process makes.
        shard: ShardRequest,
    },
}

impl Origin {
    /// The unfinished part of the run, on this computer unless workers are making it.
    pub fn resume(run: &str) -> Self {
        Self::Resume { run: run.to_owned(), without_engine: false }
    }

    /// Run that is resumed as a whole or in shards, by id or folder, or `last`. `None` for a new
    /// run.
    pub fn resumed(&self) -> Option<&str> {
        match self {
            Self::Resume { run, .. } | Self::Shard { run, .. } => Some(run),
            Self::New | Self::Completes { .. } => None,
        }
    }

    /// Run that a new run completes.
    pub fn completed(&self) -> Option<&str> {
        match self {
            Self::Completes { run } => Some(run),
            Self::New | Self::Resume { .. } | Self::Shard { .. } => None,
        }
    }
}

/// JSON form of an [`Origin`], as fields of the request.
#[derive(Default, Serialize, Deserialize, TS)]
struct OriginFields {
    /// Run to resume.
    #[serde(default)]
    #[ts(optional)]
    resume: Option<String>,
    /// Shard of the resumed run.
    #[serde(default)]
    #[ts(optional)]
    shard: Option<ShardRequest>,
    /// Whether to resume the run without the answer of a cluster engine.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    without_engine: bool,
    /// Run to complete.
    #[serde(default)]
    #[ts(optional)]
    misses_of: Option<String>,
}

impl From<Origin> for OriginFields {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::New => Self::default(),
            Origin::Resume { run, without_engine } => {
                Self { resume: Some(run), without_engine, ..Self::default() }
            }
            Origin::Completes { run } => Self { misses_of: Some(run), ..Self::default() },
            Origin::Shard { run, shard } => Self { resume: Some(run), shard: Some(shard), ..Self::default() },
        }
    }
}

impl TryFrom<OriginFields> for Origin {
    type Error = &'static str;

    fn try_from(fields: OriginFields) -> Result<Self, Self::Error> {
        match fields {
            OriginFields { resume: None, shard: None, without_engine: false, misses_of: None } => {
                Ok(Self::New)
            }
            OriginFields { resume: Some(run), shard: None, without_engine, misses_of: None } => {
                Ok(Self::Resume { run, without_engine })
            }
            OriginFields { resume: None, shard: None, without_engine: false, misses_of: Some(run) } => {
                Ok(Self::Completes { run })
            }
            OriginFields {
                resume: Some(run),
                shard: Some(shard),
                without_engine: false,
                misses_of: None,
            } => Ok(Self::Shard { run, shard }),
            _ => Err(
                "`shard` and `without_engine` need `resume` and exclude each other, and `misses_of` excludes these three",
            ),
        }
    }
}

// A derived implementation for an enum is a union of its variants.
impl TS for Origin {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(config: &Config) -> String {
        OriginFields::name(config)
    }

    fn inline(config: &Config) -> String {
        OriginFields::inline(config)
    }

    fn inline_flattened(config: &Config) -> String {
        OriginFields::inline_flattened(config)
    }

    fn visit_dependencies(visitor: &mut impl TypeVisitor) {
        OriginFields::visit_dependencies(visitor);
    }
}

#[cfg(test)]
mod tests {
    use super::Origin;
    use crate::{RunRequest, ShardRequest};
    use serde_json::{Value, json};

    fn fields(origin: Origin) -> Value {
        let request = serde_json::to_value(RunRequest { origin, ..RunRequest::published("r", "m/x") });
        let request = request.expect("JSON");
        let names = ["resume", "shard", "without_engine", "misses_of"];
        names.into_iter().map(|name| request.get(name).cloned().expect(name)).collect()
    }

    fn read(fields: Value) -> Result<Origin, String> {
        let mut request = json!({
            "run": "r", "pack": null, "model": "m/x", "base_url": null, "levels": [],
            "protocol": "leaderboard", "repetitions": 1, "concurrency": null,
        });
        for (name, value) in fields.as_object().expect("fields") {
            request[name] = value.clone();
        }
        let request: Result<RunRequest, _> = serde_json::from_value(request);
        request.map(|request| request.origin).map_err(|error| error.to_string())
    }

    #[test]
    fn an_origin_is_four_fields_of_the_request() {
        let run = || "m/1".to_owned();
        let shard = ShardRequest { index: 1, of: 8 };
        for (origin, written, asked) in [
            (Origin::New, json!([null, null, false, null]), json!({})),
            (
                Origin::resume("m/1"),
                json!(["m/1", null, false, null]),
                json!({ "resume": "m/1", "misses_of": null }),
            ),
            (
                Origin::Resume { run: run(), without_engine: true },
                json!(["m/1", null, true, null]),
                json!({ "resume": "m/1", "without_engine": true }),
            ),
            (
                Origin::Completes { run: run() },
                json!([null, null, false, "m/1"]),
                json!({ "misses_of": "m/1", "without_engine": false }),
            ),
            (
                Origin::Shard { run: run(), shard },
                json!(["m/1", { "index": 1, "of": 8 }, false, null]),
                json!({ "resume": "m/1", "shard": { "index": 1, "of": 8 } }),
            ),
        ] {
            assert_eq!(fields(origin.clone()), written);
            assert_eq!(read(asked), Ok(origin));
        }
    }

    #[test]
    fn fields_that_contradict_each_other_are_refused() {
        let shard = json!({ "index": 0, "of": 8 });
        for contradictory in [
            json!({ "shard": shard }),
            json!({ "without_engine": true }),
            json!({ "resume": "a", "misses_of": "b" }),
            json!({ "misses_of": "b", "shard": shard }),
            json!({ "misses_of": "b", "without_engine": true }),
            json!({ "resume": "a", "shard": shard, "without_engine": true }),
        ] {
            let why = read(contradictory).expect_err("refused");
            assert!(why.contains("`misses_of` excludes these three"), "{why}");
        }
    }
}
