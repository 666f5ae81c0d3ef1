//! Checks the details that a submitter must enter, such as the model's name, licence and contact.

use super::evidence::Evidence;
use super::list::Objections;
use super::remedies::within;
use crate::submission::files::paths;
use crate::submission::names::ModelType;
use koab_core::finding::Severity;
use koab_core::sentence::Sentence;
use koab_core::{say, text};
use koab_report::comparability::FindingCode;

pub(super) fn check(evidence: &Evidence<'_>, objections: &mut Objections) {
    let names = &evidence.submission.names;
    let is_open = names.model_type == Some(ModelType::Oss);
    let is_said = |text: &str| !text.trim().is_empty() && text.trim() != "Unknown";
    let mut ask = |is_there: bool, field: &str, option: &str, what: &str, severity| {
        if !is_there {
            let sentence = say!("the submission does not say {what}", what = Sentence::from(what));
            let remedy =
                say!("state it with `koab submit prepare {option}` or on the page of the submission");
            let place = within(paths::SUBMISSION, &format!("names.{field}"));
            objections.push(FindingCode::MissingName, severity, place, sentence, remedy);
        }
    };
    let what = text!("what the model is to be called");
    ask(is_said(&names.model), "model", "--name", what, Severity::Error);
    let what = text!("who makes the model");
    ask(is_said(&names.vendor), "vendor", "--vendor", what, Severity::Error);
    let what = text!("whether the weights of the model are open (OSS) or not (API)");
    ask(names.model_type.is_some(), "model_type", "--type", what, Severity::Error);
    let what = text!("where questions about the submission are answered");
    ask(is_said(&names.contact), "contact", "--contact", what, Severity::Warning);
    let what = text!("under which licence the open weights are");
    ask(!is_open || is_said(&names.licence), "licence", "--licence", what, Severity::Warning);
    let what = text!("where the open weights can be downloaded");
    ask(!is_open || is_said(&names.repo), "repo", "--repo", what, Severity::Warning);
    let model = &evidence.submission.model_id;
    if model.starts_with("baseline/") {
        let sentence = say!("{model} is a built-in baseline, not a model");
        let remedy = say!("run a model and prepare that run");
        objections.blocks(FindingCode::NotAModel, within(paths::SUBMISSION, "model_id"), sentence, remedy);
    }
}
