//! What a run would take, level by level: calls, tokens, money, minutes.
//!
//! The figures come from the newest finished run of the model in the workspace, else from the model's published run, else
//! from the mean over the published runs. They are averages: a task can take ten times as much. What an agent adds of its own is
//! known from its runs only, and its runs tell nothing of the model without it.

use crate::Runs;
use crate::wire::{Estimate, WireError};
use koab_core::event::RunOutcome;
use koab_core::level::Level;
use koab_core::price::Price;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::task::Task;
use koab_store::runs;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Of English and of Korean alike, about.
const BYTES_A_TOKEN: f64 = 4.0;
/// A call with its arguments.
const REPLY_TOKENS: f64 = 60.0;
const REPLY_SECONDS: f64 = 2.0;
const PUBLISHED: &str = include_str!("../../data/published_averages.json");

/// Averages a task: model turns, prompt tokens, completion tokens, seconds.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Averages(f64, f64, f64, f64);

#[derive(Deserialize)]
struct Published {
    models: BTreeMap<String, BTreeMap<Level, Averages>>,
}

/// The averages of a model's tasks, level by level, each with its source.
pub(crate) struct Figures(BTreeMap<Level, (Averages, Sentence)>);

impl Figures {
    /// Figures for groups of one request a task that nothing was run of: by the size of what is sent.
    pub(crate) fn add_requests(&mut self, tasks: &[Task]) {
        let mut sizes: BTreeMap<Level, (usize, usize)> = BTreeMap::new();
        for task in tasks {
            let Some(request) = task.request() else { continue };
            let values = request.messages.iter().chain(request.tools);
            let (sum, count) = sizes.entry(task.level).or_default();
            *sum += values.map(|value| value.to_string().len()).sum::<usize>();
            *count += 1;
        }
        for (level, (bytes, tasks)) in sizes {
            let prompt = bytes as f64 / tasks as f64 / BYTES_A_TOKEN;
            self.0.entry(level).or_insert_with(|| {
                let averages = Averages(1.0, prompt, REPLY_TOKENS, REPLY_SECONDS);
                (averages, say!("the size of the requests, and short replies"))
            });
        }
    }

    /// What `attempts` attempts of a level take with `concurrency` of them in flight; `None` where nothing is known of it.
    pub(crate) fn level(
        &self,
        level: Level,
        attempts: u32,
        price: Option<Price>,
        concurrency: u32,
    ) -> Option<Estimate> {
        let (Averages(turns, prompt, completion, seconds), from) = self.0.get(&level)?;
        let times = f64::from(attempts);
        let (prompt, completion) = (prompt * times, completion * times);
        Some(Estimate {
            calls: turns * times,
            prompt_tokens: prompt,
            completion_tokens: completion,
            usd: price.map(|price| price.cost(prompt.round() as u64, completion.round() as u64)),
            // No sooner than the last task.
            minutes: (seconds * times / f64::from(concurrency.max(1))).max(seconds * times.min(1.0)) / 60.0,
            from: from.clone(),
        })
    }
}

/// The sum over levels. Levels overlap, so the minutes are a little high.
pub(crate) fn total(levels: &[Estimate]) -> Estimate {
    let sum = |part: fn(&Estimate) -> f64| levels.iter().map(part).sum();
    let mut from: Vec<&Sentence> = levels.iter().map(|level| &level.from).collect();
    from.dedup();
    Estimate {
        calls: sum(|level| level.calls),
        prompt_tokens: sum(|level| level.prompt_tokens),
        completion_tokens: sum(|level| level.completion_tokens),
        usd: levels.iter().map(|level| level.usd).sum(),
        minutes: sum(|level| level.minutes),
        from: Sentence::joined(from.into_iter().cloned(), ", "),
    }
}

impl Runs {
    /// The figures for a model, driven by an agent of this definition or by nobody else; `None` for baselines, which ask nobody.
    pub(crate) fn figures(&self, model: &str, agent: Option<&str>) -> Result<Option<Figures>, WireError> {
        if model.starts_with("baseline/") {
            return Ok(None);
        }
        let published: Published = serde_json::from_str(PUBLISHED).map_err(WireError::internal)?;
        let same = |id: &str| {
            id.trim_end_matches(":0")
                .eq_ignore_ascii_case(model.trim_end_matches(":0"))
        };
        let own = published.models.iter().find(|(id, _)| same(id));
        let mut figures = BTreeMap::new();
        for level in Level::ALL {
            let found = match own {
                Some((id, levels)) => levels
                    .get(&level)
                    .map(|a| (*a, say!("the published run of {id}"))),
                None => mean(published.models.values().filter_map(|levels| levels.get(&level)))
                    .map(|a| (a, say!("the mean of {} published runs", published.models.len()))),
            };
            let found = found.map(|(averages, from)| match agent {
                Some(_) => (averages, say!("{from}, without the agent's own prompts")),
                None => (averages, from),
            });
            figures.extend(found.map(|found| (level, found)));
        }
        // Oldest first, so that the newest stays.
        for entry in runs::list(&self.workspace.home().logs())?.iter().rev() {
            let Ok(Some(manifest)) = entry.run.manifest() else {
                continue;
            };
            let driven = manifest.spec.agent.as_ref();
            if manifest.model != model
                || driven.map(|by| by.definition.as_str()) != agent
                || manifest.outcome != Some(RunOutcome::Completed)
            {
                continue;
            }
            for level in entry.run.levels.keys() {
                let averages = entry
                    .run
                    .level(*level)
                    .ok()
                    .and_then(|log| averages(&log["metadata"]));
                figures.extend(averages.map(|a| (*level, (a, say!("run {}", entry.id)))));
            }
        }
        Ok(Some(Figures(figures)))
    }
}

/// The averages that a level log states; `None` when nothing was run or no tokens were reported.
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
        let price = Price {
            input: 2.5,
            output: 10.0,
        };
        let figures = api
            .figures("azure/gpt-4o", None)
            .expect("read")
            .expect("asks a server");
        let level = figures.level(Level::L1, 11, Some(price), 8).expect("known");
        insta::assert_snapshot!(
            format!("{:.0} {:.0} {:.0} {:?} {:.3} {}", level.calls, level.prompt_tokens, level.completion_tokens, level.usd, level.minutes, level.from),
            @"22 35377 945 Some(0.0978925) 0.124 the published run of azure/gpt-4o"
        );
        let other = api
            .figures("openai_compat/mine", None)
            .expect("read")
            .expect("asks a server");
        let level = other.level(Level::L5, 20, None, 1).expect("known");
        assert_eq!(
            (level.usd, level.from.to_string().as_str()),
            (None, "the mean of 8 published runs")
        );
        assert!(
            (1.0..10.0).contains(&level.minutes) && (80.0..140.0).contains(&level.calls),
            "{level:?}"
        );
        assert!(api.figures("baseline/golden", None).expect("read").is_none());
        let sum = total(&[
            figures.level(Level::L1, 11, Some(price), 8).expect("known"),
            level,
        ]);
        assert_eq!(sum.usd, None, "a sum with an unknown part is unknown");
        let none = figures.level(Level::L1, 0, Some(price), 8).expect("known");
        assert_eq!(none.minutes, 0.0);
    }
}
