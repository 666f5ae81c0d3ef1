//! Estimates of a run per level: calls, tokens, cost and minutes.
//!
//! The figures come from the newest completed run of the model in the workspace. Without such a
//! run, they come from the model's published run, or otherwise from the mean over the published
//! runs. The figures are averages: a single task can take ten times as much. The additional tokens
//! of an agent are known only from runs with this agent, and these runs are not used for the model
//! without the agent.

use crate::Runs;
use koab_core::event::RunOutcome;
use koab_core::level::Level;
use koab_core::price::Price;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use koab_library::{Estimate, ShortLimit};
use koab_models::local_models::{LocalSettings, LocalSpeed};
use koab_models::local_name;
use koab_store::runs;
use koab_workspace::WireError;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Approximate number of bytes per token, for English and for Korean text.
const BYTES_A_TOKEN: f64 = 4.0;
/// Number of completion tokens of a reply that calls a tool with arguments.
const REPLY_TOKENS: f64 = 60.0;
const REPLY_SECONDS: f64 = 2.0;
const PUBLISHED: &str = include_str!("../../data/published_averages.json");

/// Averages per task, in this order: model turns, prompt tokens, completion tokens, seconds.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Averages(f64, f64, f64, f64);

#[derive(Deserialize)]
struct Published {
    models: BTreeMap<String, BTreeMap<Level, Averages>>,
}

/// Average figures of attempts at a level.
struct LevelFigures {
    averages: Averages,
    time: Time,
    from: Sentence,
}

/// Origin of the average time of attempts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Time {
    /// The time is from runs of other models, or of this model on other computers.
    Elsewhere,
    /// The time is from a run of this model in the workspace.
    Run,
    /// The time is from the measured speed of a local model. Concurrent attempts share this speed.
    Shared,
    /// The time is unknown.
    Unknown,
}

/// Average figures of a model's tasks for each level, with the origin of the figures.
pub(crate) struct Figures(BTreeMap<Level, LevelFigures>);

/// Suggested time limit, as a multiple of the average attempt. Some tasks take several times as
/// long as others, and this limit ends hardly any attempt.
const SUGGESTED_LIMIT_IN_ATTEMPTS: f64 = 4.0;
/// Shortest time limit that is not reported as too short, as a multiple of the average attempt.
const MIN_LIMIT_IN_ATTEMPTS: f64 = 2.0;

impl Figures {
    /// Adds figures for groups of single requests that have no earlier run. They follow from the
    /// size of the requests.
    pub(crate) fn add_requests(&mut self, tasks: &[Task], speed: Option<&LocalTime>) {
        let mut sizes: BTreeMap<&Level, (usize, usize)> = BTreeMap::new();
        for task in tasks {
            let Some(request) = task.request() else { continue };
            let values = request.messages.iter().chain(request.tools);
            let (sum, count) = sizes.entry(&task.level).or_default();
            *sum += values.map(|value| value.to_string().len()).sum::<usize>();
            *count += 1;
        }
        for (level, (bytes, tasks)) in sizes {
            let prompt = bytes as f64 / tasks as f64 / BYTES_A_TOKEN;
            self.0.entry(level.clone()).or_insert_with(|| {
                let mut figures = LevelFigures {
                    averages: Averages(1.0, prompt, REPLY_TOKENS, REPLY_SECONDS),
                    time: Time::Elsewhere,
                    from: say!("the size of the requests, and short replies"),
                };
                if let Some(speed) = speed {
                    speed.apply_to(&mut figures);
                }
                figures
            });
        }
    }

    /// Returns the estimate of a number of attempts at a level, with `concurrency` attempts in
    /// parallel; `None` if there are no figures for the level.
    pub(crate) fn level(
        &self,
        level: &Level,
        attempts: u32,
        price: Option<Price>,
        concurrency: u32,
    ) -> Option<Estimate> {
        let LevelFigures { averages: Averages(turns, prompt, completion, seconds), time, from } =
            self.0.get(level)?;
        let times = f64::from(attempts);
        let (prompt, completion) = (prompt * times, completion * times);
        let at_once = match time {
            Time::Shared => 1.0,
            _ => f64::from(concurrency.max(1)),
        };
        // A run takes at least the time of one task.
        let minutes = (seconds * times / at_once).max(seconds * times.min(1.0)) / 60.0;
        Some(Estimate {
            calls: turns * times,
            prompt_tokens: prompt,
            completion_tokens: completion,
            usd: price.map(|price| price.cost(prompt.round() as u64, completion.round() as u64)),
            minutes: (*time != Time::Unknown).then_some(minutes),
            from: from.clone(),
        })
    }

    /// Returns the levels whose attempts a time limit would often cut. `None` if there are no such
    /// levels, or if the model's time on this computer is unknown.
    pub(crate) fn short_limit(
        &self,
        levels: impl IntoIterator<Item = Level>,
        limit_s: f64,
        concurrency: u32,
    ) -> Option<ShortLimit> {
        let takes = levels.into_iter().filter_map(|level| {
            let figures = self.0.get(&level)?;
            let seconds = figures.averages.3;
            let takes = match figures.time {
                Time::Run => seconds,
                Time::Shared => seconds * f64::from(concurrency.max(1)),
                Time::Elsewhere | Time::Unknown => return None,
            };
            (takes * MIN_LIMIT_IN_ATTEMPTS > limit_s).then_some((level, takes))
        });
        let takes: Vec<(Level, f64)> = takes.collect();
        let slowest = takes.iter().map(|(_, takes)| *takes).reduce(f64::max)?;
        Some(ShortLimit {
            levels: takes.into_iter().map(|(level, _)| level).collect(),
            attempt_s: slowest,
            limit_s,
            fits_s: (slowest * SUGGESTED_LIMIT_IN_ATTEMPTS / 60.0).ceil() * 60.0,
        })
    }
}

/// Local model and its speed on this computer, if it was measured.
pub(crate) struct LocalTime {
    model: String,
    speed: Option<LocalSpeed>,
}

impl LocalTime {
    /// Replaces the time in figures from elsewhere by the time of this model on this computer.
    fn apply_to(&self, figures: &mut LevelFigures) {
        let Averages(turns, prompt, completion, seconds) = &mut figures.averages;
        let (time, from) = match self.speed {
            Some(speed) => {
                *seconds = speed.seconds(*turns, *prompt, *completion);
                let (read, written) = (speed.prompt_per_second, speed.written_per_second);
                let by = say!(
                    "{}, and the speed of the model here: {read:.0} tokens read and {written:.1} written a second",
                    figures.from
                );
                (Time::Shared, by)
            }
            None => {
                let unknown = say!(
                    "{}; how long it takes here is known once `koab models doctor {}` has measured its speed",
                    figures.from,
                    self.model
                );
                (Time::Unknown, unknown)
            }
        };
        (figures.time, figures.from) = (time, from);
    }
}

/// Returns the sum over levels. Levels run partly in parallel, so the sum of the minutes is
/// slightly too high.
pub(crate) fn total(levels: &[Estimate]) -> Estimate {
    let sum = |part: fn(&Estimate) -> f64| levels.iter().map(part).sum();
    let mut from: Vec<&Sentence> = levels.iter().map(|level| &level.from).collect();
    from.dedup();
    Estimate {
        calls: sum(|level| level.calls),
        prompt_tokens: sum(|level| level.prompt_tokens),
        completion_tokens: sum(|level| level.completion_tokens),
        usd: levels.iter().map(|level| level.usd).sum(),
        minutes: levels.iter().map(|level| level.minutes).sum(),
        from: Sentence::joined(from.into_iter().cloned(), ", "),
    }
}

impl Runs {
    /// Returns the speed of a local model with these settings, in tokens per second, for the time
    /// in an estimate; `None` for models that are not local.
    pub(crate) fn local_time(
        &self,
        model: &str,
        settings: &LocalSettings,
    ) -> Result<Option<LocalTime>, WireError> {
        let speed = self.models.local_speed(model, settings)?;
        let name = local_name(model);
        Ok(name.map(|name| LocalTime { model: name.to_owned(), speed }))
    }

    /// Returns the figures of a model that is driven by an agent or by this program.
    ///
    /// The agent is given by the hash of its definition. `None` for baselines, which make no API
    /// calls.
    pub(crate) fn figures(
        &self,
        model: &str,
        agent: Option<&str>,
        local: Option<&LocalTime>,
    ) -> Result<Option<Figures>, WireError> {
        if model.starts_with("baseline/") {
            return Ok(None);
        }
        let mut figures = published(model, agent)?;
        if let Some(local) = local {
            figures.values_mut().for_each(|figures| local.apply_to(figures));
        }
        // The oldest run first, so that the newest overwrites it.
        for entry in runs::list(&self.workspace.home().logs())?.iter().rev() {
            let Ok(Some(manifest)) = entry.run.manifest() else {
                continue;
            };
            let run_agent = manifest.spec.agent.as_ref();
            if manifest.model != model
                || run_agent.map(|agent| agent.definition.as_str()) != agent
                || manifest.outcome != Some(RunOutcome::Completed)
            {
                continue;
            }
            for level in entry.run.levels.keys() {
                let log = entry.run.level(level).ok();
                let averages = log.and_then(|log| averages(&log["metadata"]));
                figures.extend(averages.map(|averages| {
                    let from = say!("run {}", entry.id);
                    (level.clone(), LevelFigures { averages, time: Time::Run, from })
                }));
            }
        }
        Ok(Some(Figures(figures)))
    }
}

/// Returns the figures of the model's published run, or otherwise the mean over all published runs.
fn published(model: &str, agent: Option<&str>) -> Result<BTreeMap<Level, LevelFigures>, WireError> {
    let published: Published = serde_json::from_str(PUBLISHED).map_err(WireError::internal)?;
    let same = |id: &str| id.trim_end_matches(":0").eq_ignore_ascii_case(model.trim_end_matches(":0"));
    let own = published.models.iter().find(|(id, _)| same(id));
    let mut figures = BTreeMap::new();
    for level in Level::ALL {
        let averages_and_source = match own {
            Some((id, levels)) => levels.get(&level).map(|a| (*a, say!("the published run of {id}"))),
            None => mean(published.models.values().filter_map(|levels| levels.get(&level)))
                .map(|a| (a, say!("the mean of {} published runs", published.models.len()))),
        };
        figures.extend(averages_and_source.map(|(averages, from)| {
            let from = match agent {
                Some(_) => say!("{from}, without the agent's own prompts"),
                None => from,
            };
            (level, LevelFigures { averages, time: Time::Elsewhere, from })
        }));
    }
    Ok(figures)
}

/// Reads the average turns, tokens and seconds per task from the log of a level; `None` if the log
/// has no attempt, or if the server reported no tokens.
fn averages(metadata: &Value) -> Option<Averages> {
    let number = |name: &str| metadata[name].as_f64();
    let prompt = number("average_prompt_tokens").filter(|tokens| *tokens > 0.0)?;
    Some(Averages(
        number("average_steps")?,
        prompt,
        number("average_completion_tokens")?,
        number("average_execution_time")?,
    ))
}

fn mean<'a>(all: impl Iterator<Item = &'a Averages>) -> Option<Averages> {
    let all: Vec<&Averages> = all.collect();
    let part = |part: fn(&Averages) -> f64| all.iter().map(|a| part(a)).sum::<f64>() / all.len() as f64;
    (!all.is_empty()).then(|| Averages(part(|a| a.0), part(|a| a.1), part(|a| a.2), part(|a| a.3)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_published_model_s_own_run_is_the_measure_and_their_mean_for_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let api = Runs::at(folder.path());
        let price = Price { input: 2.5, output: 10.0 };
        let figures = api.figures("azure/gpt-4o", None, None).expect("read").expect("asks a server");
        let level = figures.level(&Level::L1, 11, Some(price), 8).expect("known");
        insta::assert_snapshot!(
            format!("{:.0} {:.0} {:.0} {:?} {:.3} {}", level.calls, level.prompt_tokens, level.completion_tokens, level.usd, level.minutes.unwrap_or_default(), level.from),
            @"22 35377 945 Some(0.0978925) 0.124 the published run of azure/gpt-4o"
        );
        let other = api.figures("openai_compat/mine", None, None).expect("read").expect("asks a server");
        let level = other.level(&Level::L5, 20, None, 1).expect("known");
        assert_eq!((level.usd, level.from.to_string().as_str()), (None, "the mean of 8 published runs"));
        assert!(
            level.minutes.is_some_and(|minutes| (1.0..10.0).contains(&minutes))
                && (80.0..140.0).contains(&level.calls),
            "{level:?}"
        );
        assert!(api.figures("baseline/golden", None, None).expect("read").is_none());
        let sum = total(&[figures.level(&Level::L1, 11, Some(price), 8).expect("known"), level]);
        assert_eq!(sum.usd, None, "a sum with an unknown part is unknown");
        let none = figures.level(&Level::L1, 0, Some(price), 8).expect("known");
        assert_eq!(none.minutes, Some(0.0));
        assert_eq!(figures.short_limit(Level::ALL, 0.1, 8), None, "its time elsewhere says nothing of here");
    }

    #[test]
    fn a_model_of_this_disk_takes_as_long_as_its_speed_says_and_nobody_knows_without() {
        let folder = tempfile::tempdir().expect("a folder");
        let api = Runs::at(folder.path());
        let figures = |speed| {
            let time = LocalTime { model: "slow".to_owned(), speed };
            let figures = api.figures("local/slow", None, Some(&time));
            figures.expect("read").expect("it computes")
        };
        let unknown = figures(None);
        let level = unknown.level(&Level::L2, 15, None, 4).expect("tokens are known");
        assert_eq!(level.minutes, None);
        assert!(level.from.to_string().contains("`koab models doctor slow`"), "{}", level.from);
        assert_eq!(unknown.short_limit(Level::ALL, 60.0, 4), None);
        // As a laptop has a model of 1.5 billion numbers.
        let slow = figures(Some(LocalSpeed { prompt_per_second: 60.0, written_per_second: 8.0 }));
        let all: Vec<_> =
            [(Level::L1, 11), (Level::L2, 15), (Level::L3, 15), (Level::L4, 15), (Level::L5, 20)]
                .into_iter()
                .filter_map(|(level, attempts)| slow.level(&level, attempts, None, 4))
                .collect();
        let minutes = total(&all).minutes.expect("known");
        assert!(minutes > 60.0, "{minutes}");
        let short = slow.short_limit(Level::ALL, 60.0, 4).expect("too short");
        assert!(short.levels.contains(&Level::L4) && short.attempt_s > 60.0, "{short:?}");
        assert_eq!(slow.short_limit(Level::ALL, short.fits_s, 4), None);
        // Several at once share the processors.
        let one = slow.level(&Level::L4, 15, None, 1).expect("known");
        assert_eq!(one.minutes, slow.level(&Level::L4, 15, None, 4).expect("known").minutes);
    }
}
