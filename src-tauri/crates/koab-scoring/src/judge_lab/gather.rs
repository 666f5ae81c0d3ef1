//! Collects the runs of the lab with their questions, stored verdicts, recorded verdicts of
//! reports, and human overrides. It makes no calls to judges.

use super::judge_names::JudgeNames;
use crate::Scoring;
use koab_analysis::judge_lab::{Blinder, Item, PersonsWord, Standing, Subject, judges};
use koab_core::judge::{Answer, Inputs, JudgeQuestion, Verdict, Verdicts};
use koab_core::protocol::Protocol;
use koab_core::say;
use koab_library::evaluation::evaluation_options;
use koab_library::options::{EvaluateOptions, RunChoice};
use koab_library::run::Run;
use koab_library::transcript::by_judge;
use koab_library::{LabLeftOut, LabRequest, verdict_file};
use koab_report::{Dataset, EvaluationOptions, questions_with_inputs, verdicts_of};
use koab_store::overrides::Override;
use koab_workspace::WireError;
use serde_json::Value;

/// Maximum number of runs in a comparison, the same as for reports.
const MAX_RUNS: usize = 60;

/// A run of the judge lab.
pub(crate) struct LabInput {
    pub(crate) run: Run,
    pub(crate) dataset: Dataset,
    pub(crate) options: EvaluationOptions,
    /// Model id, which must not be visible in a blind review. Users see [`Library::model_name`]
    /// instead.
    pub(crate) model: String,
    /// Ids of the reports whose recorded verdicts were read.
    pub(crate) reports: Vec<String>,
    /// Recorded verdicts of the reports.
    pub(crate) recorded: Verdicts,
    /// Questions in the order of `items`, each with the texts that its prompt contains.
    pub(crate) asked: Vec<(JudgeQuestion, Inputs)>,
    pub(crate) items: Vec<Item>,
}

impl LabInput {
    /// Returns the address of the run's model, if the run contains it.
    pub(crate) fn base_url(&self) -> Option<&str> {
        self.run.manifest.as_ref()?.spec.base_url.as_deref()
    }

    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject {
            id: self.run.entry.id.clone(),
            model: self.model.clone(),
            logs: &self.run.logs,
            dataset: &self.dataset,
            options: self.options.clone(),
            items: self.items.clone(),
        }
    }
}

/// The runs of a request, and the runs and reports that are left out.
pub(crate) struct LabInputs {
    pub(crate) runs: Vec<LabInput>,
    pub(crate) left_out: Vec<LabLeftOut>,
}

impl Scoring {
    pub(crate) fn lab_runs(&self, request: &LabRequest) -> Result<LabInputs, WireError> {
        let mut gathering = LabInputs { runs: Vec::new(), left_out: Vec::new() };
        let count: usize = request.runs.len() + request.reports.len();
        if count == 0 {
            return Err(WireError::bad_request(say!("name at least one run or report to look at")));
        }
        if count > MAX_RUNS {
            return Err(WireError::bad_request(say!(
                "name at most {MOST} runs and reports",
                MOST = MAX_RUNS
            )));
        }
        let overrides = self.library.holding()?;
        let runs = request.runs.iter().map(|id| (id, self.run_or_report(id)));
        let reports = request.reports.iter().map(|id| (id, self.run_of_report(id)));
        for (id, run) in runs.chain(reports) {
            let gathered = run.and_then(|run| self.gathered(run, request.scorer, &overrides));
            match gathered {
                // Two reports can belong to one run.
                Ok(one) if gathering.runs.iter().any(|other| other.run.entry.id == one.run.entry.id) => {}
                Ok(one) => gathering.runs.push(one),
                Err(error) => gathering.left_out.push(LabLeftOut { id: id.clone(), reason: error.message }),
            }
        }
        if let ([], [first, ..]) = (gathering.runs.as_slice(), gathering.left_out.as_slice()) {
            return Err(WireError::not_found(say!("{}: {}", first.id, first.reason)));
        }
        Ok(gathering)
    }

    /// Returns the run with this name, or otherwise the run of the report with this name.
    fn run_or_report(&self, id: &str) -> Result<Run, WireError> {
        let run = self.library.read_run(&self.library.published(id));
        match run {
            Err(_) if self.library.report_folder(id).is_ok() => self.run_of_report(id),
            run => run,
        }
    }

    fn run_of_report(&self, report: &str) -> Result<Run, WireError> {
        let open = self.library.open_report(report)?;
        self.library.scored_run(&open).map_err(WireError::not_found)
    }

    fn gathered(&self, run: Run, scorer: Protocol, overrides: &[Override]) -> Result<LabInput, WireError> {
        let dataset = self.library.dataset(&run)?;
        run.needs_items(&dataset)?;
        let published = EvaluateOptions::published(RunChoice::Run(run.entry.id.clone()));
        let options = evaluation_options(&published, &run, scorer);
        let (text, prompts) = self.library.prompts_for(&run, &dataset, scorer)?;
        let connections = self.library.connections();
        let names = JudgeNames::new(&connections, &text);
        let questions = questions_with_inputs(&run.logs, &dataset, &prompts, &options);
        let (reports, recorded) = self.recorded_by_reports(&run, scorer, &names)?;
        let mut items = Vec::with_capacity(questions.len());
        for (question, _) in &questions {
            let mut item = Item::new(question);
            let mut rows = self.workspace.store()?.verdicts_on(&item.hash)?;
            rows.iter_mut().for_each(|row| names.name_stored(row));
            item.verdicts = by_judge(&rows, item.metric);
            complete_from(&mut item, &recorded, &names);
            if dataset.is_of_items() {
                read_words(&mut item, &dataset, scorer);
            }
            let words = overrides.iter().filter(|entry| entry.question_hash == item.hash);
            item.people = words.filter_map(word).flat_map(|word| under_names(word, &item, &names)).collect();
            items.push(item);
        }
        let logged = run.logs.iter().find_map(|log| log.metadata.get("model").and_then(Value::as_str));
        Ok(LabInput {
            model: logged.unwrap_or(&run.entry.model_folder).to_owned(),
            dataset,
            options,
            reports,
            recorded,
            asked: questions,
            items,
            run,
        })
    }

    /// Returns the recorded verdicts of those reports of the run that have this scorer. A report of
    /// the whole run takes precedence over one of a part.
    fn recorded_by_reports(
        &self,
        run: &Run,
        scorer: Protocol,
        names: &JudgeNames<'_>,
    ) -> Result<(Vec<String>, Verdicts), WireError> {
        let (mut ids, mut all) = (Vec::new(), Verdicts::none());
        for candidate in self.library.reports_of(&run.entry, None)? {
            let report = &candidate.read.report;
            if report.scorer != scorer {
                continue;
            }
            // Other benchmarks' reports contain no verdicts; they are in the verdict file.
            let verdicts = if report.is_of_another_benchmark() {
                verdict_file::read(&self.workspace.home().reports().join(&candidate.id))?
            } else {
                verdicts_of(report)
            };
            if verdicts.is_empty() {
                continue;
            }
            let verdicts = names.of_report(&verdicts, report.judge_base_url.as_deref());
            let earlier_judges: Vec<String> = all.judges();
            let tasks = report.levels.iter().flat_map(|level| &level.tasks);
            for (task, metric) in
                tasks.flat_map(|task| task.scores.iter().map(|(metric, _)| (&task.id, *metric)))
            {
                for verdict in
                    verdicts.about(task, metric).iter().filter(|one| !earlier_judges.contains(&one.judge))
                {
                    all.add(task, verdict.clone());
                }
            }
            ids.push(candidate.id);
        }
        Ok((ids, all))
    }
}

/// Converts a stored human override to the form of the judge lab; `None` if the answer in it is
/// unreadable.
fn word(entry: &Override) -> Option<PersonsWord> {
    Some(PersonsWord {
        judge: entry.place.judge.clone(),
        by: entry.by.clone(),
        opinion: serde_json::from_value(entry.answer.clone()).ok()?,
    })
}

/// Repeats a human override of a judge for each name of the judge in the lab. Each server of the
/// judge has a name of its own.
fn under_names(word: PersonsWord, item: &Item, names: &JudgeNames<'_>) -> Vec<PersonsWord> {
    let Some(id) = &word.judge else { return vec![word] };
    let behind = names.behind(id, item.verdicts.keys());
    let under = |name: &String| PersonsWord { judge: Some(name.clone()), ..word.clone() };
    behind.into_iter().map(under).collect()
}

/// Parses judges' answers that are texts. An answer with neither yes nor no is unusable.
fn read_words(item: &mut Item, dataset: &Dataset, scorer: Protocol) {
    for verdict in item.verdicts.values_mut().flatten() {
        *verdict = dataset.read(verdict, scorer);
        let says_neither = matches!(&verdict.answer, Answer::Answered(opinion) if opinion.success.is_none());
        if says_neither {
            let why = say!("the judge said neither pass nor fail");
            *verdict = Verdict::failed(&verdict.judge, item.metric, why);
        }
    }
}

/// Adds recorded verdicts of reports if some of a judge's answers are not stored.
///
/// A report without the address of its judges could mean any server. If the store has exactly one
/// server for the judge, the verdicts are assigned to it.
fn complete_from(item: &mut Item, recorded: &Verdicts, names: &JudgeNames<'_>) {
    let verdicts = recorded.about(&item.task, item.metric);
    let mut judges: Vec<&str> = verdicts.iter().map(|verdict| verdict.judge.as_str()).collect();
    judges.dedup();
    for judge in judges {
        let name = match names.behind(judge, item.verdicts.keys()).as_slice() {
            [only] => (*only).clone(),
            _ => judge.to_owned(),
        };
        if item.standing(&name) == Standing::Answered {
            continue;
        }
        let of_judge = verdicts
            .iter()
            .filter(|one| one.judge == judge)
            .map(|one| Verdict { judge: name.clone(), ..one.clone() });
        let before = item.verdicts.insert(name.clone(), of_judge.collect());
        if item.standing(&name) != Standing::Answered
            && let Some(before) = before
        {
            item.verdicts.insert(name, before);
        }
    }
}

/// Returns a filter that hides the names of the runs' models and of all judges.
pub(super) fn blinder(gathering: &LabInputs) -> Blinder {
    let subjects: Vec<Subject<'_>> = gathering.runs.iter().map(LabInput::subject).collect();
    let runs = gathering.runs.iter();
    let names = runs.flat_map(|one| [&one.model, &one.run.entry.model_folder]);
    Blinder::new(names.chain(&judges(&subjects)).map(String::as_str))
}
