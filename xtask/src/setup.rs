//! Requirements of a checkout. Missing requirements are installed if possible, and otherwise
//! reported in one sentence.
//!
//! `run` and `test` require only what they use, and `setup` requires everything. In the checkout,
//! only `ui/node_modules` is changed.

mod need;
mod nextest;
mod node;
mod packages;
mod parity;

pub(crate) use need::Need;
pub(crate) use packages::browser;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use anyhow::bail;

use crate::checkout::Checkout;
use crate::out;

const EVERYTHING: [Need; 7] = [
    Need::Node,
    Need::UiPackages,
    Need::Nextest,
    Need::WindowBuild,
    Need::ModelBuild,
    Need::WindowDriver,
    Need::Browser,
];

/// Requirements that are still missing after the set-up, with the user's next step.
#[derive(Default)]
pub(crate) struct Missing(BTreeMap<Need, String>);

impl Missing {
    /// Returns the sentence about the first of these needs that is still missing.
    pub(crate) fn first_of(&self, needs: &[Need]) -> Option<&str> {
        needs.iter().find_map(|need| self.0.get(need)).map(String::as_str)
    }
}

/// Installs missing needs as far as possible on this machine. Installed needs are not changed.
pub(crate) fn ensure(checkout: &Checkout, needs: &[Need]) -> Missing {
    let mut needs = needs.to_vec();
    if needs.contains(&Need::UiPackages) {
        needs.push(Need::Node);
    }
    needs.sort_unstable();
    needs.dedup();

    packages::install(&needs);
    let mut missing = BTreeMap::new();
    for need in needs {
        let met = match need {
            Need::Node => node::check(),
            Need::UiPackages => match missing.get(&Need::Node) {
                Some(sentence) => Err(String::clone(sentence)),
                None => node::packages(checkout),
            },
            Need::Nextest => nextest::ensure(checkout),
            Need::WindowBuild => packages::check_window_build(),
            Need::ModelBuild => packages::check_model_build(),
            Need::WindowDriver => packages::check_window_driver(),
            Need::Browser => packages::browser().map(drop),
        };
        if let Err(sentence) = met {
            missing.insert(need, sentence);
        }
    }
    Missing(missing)
}

/// Runs `cargo xtask setup`: installs all requirements and prints those that are still missing.
/// `cargo xtask setup parity` fetches reference data instead.
///
/// # Errors
/// When an argument is unknown, or reference data cannot be fetched.
pub(crate) fn run(checkout: &Checkout, arguments: &[String]) -> anyhow::Result<ExitCode> {
    match arguments.split_first() {
        None => Ok(install(checkout)),
        Some((word, rest)) if word == "parity" => parity::run(checkout, rest),
        Some((word, _)) => bail!("setup has no part {word}; there is `parity`"),
    }
}

fn install(checkout: &Checkout) -> ExitCode {
    let missing = ensure(checkout, &EVERYTHING);
    // Without Node its packages are missing for the same reason, so each sentence is printed once.
    missing.0.values().collect::<BTreeSet<_>>().into_iter().for_each(out::line);
    if missing.0.is_empty() {
        out::line("everything is there");
        return ExitCode::SUCCESS;
    }
    ExitCode::FAILURE
}
