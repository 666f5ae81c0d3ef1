//! Subject and conditions of the judges' work in a scoring.

use koab_core::judge::Verdicts;
use koab_engine::budget::Budget;
use koab_library::options::FailedVerdicts;
use koab_library::run::Run;
use koab_models::local_models::LocalSettings;
use koab_report::{Dataset, EvaluationOptions};

/// Input for asking judges.
#[derive(Clone, Copy)]
pub(crate) struct JudgeContext<'a> {
    pub(crate) run: &'a Run,
    pub(crate) dataset: &'a Dataset,
    pub(crate) options: &'a EvaluationOptions,
    pub(crate) base_url: Option<&'a str>,
    /// Settings of judges that run inside the application.
    pub(crate) local: &'a LocalSettings,
    /// Budget that all judges of the scoring share.
    pub(crate) shared: &'a Budget,
    /// Answers that reports of the run contain. A judge with such an answer is not asked again.
    pub(crate) recorded: Option<&'a Verdicts>,
    /// Whether judges are called. If not, only stored answers are used, and all other questions
    /// remain unanswered.
    pub(crate) asks: bool,
    /// Whether judges are asked again about answered questions, to compare the answers. The new
    /// answers are not stored, because they are not votes.
    pub(crate) again: bool,
    /// Questions that a judge failed to answer in the workers' judging, by storage key. They are
    /// not asked again.
    pub(crate) failed: &'a FailedVerdicts,
    /// Whether to store the scoring's judges for the run's next scoring, after each judge could be
    /// opened.
    pub(crate) remembered: bool,
}
