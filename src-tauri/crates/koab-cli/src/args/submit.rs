//! Arguments of `koab submit`.

use super::bundle::{BundleArgs, VerifyArgs};
use super::words::{Word, one_of};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use koab_api::ModelType;
use koab_core::sentence::Language;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum SubmitCommand {
    /// Prepare a scored run for the leaderboard: row, report, logs, description, README and the
    /// text of the pull request; without -o or --folder, only show the row and the objections
    #[command(
        after_help = "Example:\n  koab submit prepare azure_gpt-4o/20251219_113310 --contact mina@example.org -o gpt-4o.koab"
    )]
    Prepare(Box<PrepareArgs>),
    /// Check a submission for objections that a maintainer would have; exit code 1 if one blocks it
    #[command(after_help = "Example:\n  koab submit validate gpt-4o.koab")]
    Validate {
        /// Bundle or folder that `koab submit prepare` wrote
        #[arg(value_name = "PATH")]
        place: PathBuf,
    },
    /// Put a run, its reports and all data behind their numbers into one file that anybody can
    /// verify
    #[command(after_help = "Example:\n  koab submit bundle azure_gpt-4o/20251219_113310 -o gpt-4o.koab")]
    Bundle(BundleArgs),
    /// Compute the numbers of a bundle again, offline, and name every place that differs; exit code
    /// 1 if there is one
    #[command(after_help = "Example:\n  koab submit verify gpt-4o.koab")]
    Verify(VerifyArgs),
    /// Show the public key of the signatures made here; a missing key is made
    #[command(after_help = "Example:\n  koab submit key")]
    Key {
        /// Keep a new key in the encrypted file of keys instead of the keychain
        #[arg(long)]
        file: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PrepareArgs {
    /// The run: its id as `koab runs list` shows it, `last` for the newest, or its folder; or a
    /// report, by its id
    #[arg(value_name = "RUN")]
    pub(crate) of: String,
    /// Write one file (.koab) with the submission and everything that is needed to verify its
    /// numbers
    #[arg(short, long, value_name = "FILE", conflicts_with = "folder")]
    pub(crate) output: Option<PathBuf>,
    /// Sign that file with the key of `koab submit key`
    #[arg(long, requires = "output")]
    pub(crate) sign: bool,
    /// Write the plain folder that a maintainer gets, in the layout of the published repository
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
    /// The model's name in the leaderboard; this and the other names are remembered for the next
    /// time
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Vendor of the model
    #[arg(long, value_name = "NAME")]
    pub(crate) vendor: Option<String>,
    /// Access to the model: a service only, or open weights
    #[arg(long = "type", value_parser = one_of(TYPES))]
    pub(crate) model_type: Option<ModelType>,
    /// Licence of open weights
    #[arg(long, value_name = "SPDX")]
    pub(crate) licence: Option<String>,
    /// Repository of open weights on the Hugging Face hub
    #[arg(long, value_name = "OWNER/NAME")]
    pub(crate) repo: Option<String>,
    /// Name of the submitter
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Option<String>,
    /// Contact for questions
    #[arg(long, value_name = "TEXT")]
    pub(crate) contact: Option<String>,
    /// Address where the transcripts will be published
    #[arg(long, value_name = "URL")]
    pub(crate) source_url: Option<String>,
    /// Notes for readers
    #[arg(long, value_name = "TEXT")]
    pub(crate) notes: Option<String>,
    /// Language of README and pull request
    #[arg(long, value_parser = texts(), default_value = "both")]
    pub(crate) texts: TextsArg,
}

const TYPES: &[Word<ModelType>] =
    &[("api", "Behind a service only", ModelType::Api), ("oss", "Open weights", ModelType::Oss)];

/// Language of the texts. `None` for `both`: English with a summary in Korean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextsArg(pub(crate) Option<Language>);

fn texts() -> impl TypedValueParser<Value = TextsArg> {
    let both = PossibleValue::new("both").help("English with a summary in Korean");
    let languages = Language::all().map(|language| PossibleValue::new(language.tag()));
    PossibleValuesParser::new(std::iter::once(both).chain(languages)).map(|text| TextsArg(text.parse().ok()))
}
