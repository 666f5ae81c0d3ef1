//! Adaptive runs of the window: commands that plan, start, list and read them. The plan is made
//! from the form of a run.

use super::file::{AdaptiveView, id_of};
use super::{Adaptive, AdaptiveOutlook, AdaptiveRequest, AdaptiveSummary};
use crate::Compare;
use crate::progress::Progress;
use crate::scored::Face;
use koab_core::say;
use koab_core::score::MetricId;
use koab_engine::ports::{Cancel, EventSink};
use koab_library::options::JudgeChoice;
use koab_library::{Origin, RunRequest};
use koab_workspace::WireError;
use koab_workspace::jobs::JobKind;
use std::sync::Arc;

impl Compare {
    /// Plans the adaptive run that the form describes, up to an interval of `half_width` on each
    /// side of the estimate, such as 0.03. Writes nothing and makes no API calls.
    ///
    /// # Errors
    /// The errors of [`Compare::adaptive`].
    pub fn adaptive_plan(&self, request: RunRequest, half_width: f64) -> Result<AdaptiveOutlook, WireError> {
        Ok(self.adaptive_of_form(request, half_width)?.outlook())
    }

    fn adaptive_of_form(&self, run: RunRequest, half_width: f64) -> Result<Adaptive, WireError> {
        if !run.levels.is_empty()
            || !run.tasks.is_empty()
            || run.settings.repetitions != 1
            || run.origin != Origin::New
        {
            return Err(WireError::bad_request(say!(
                "an adaptive run chooses the tasks itself and tries each once; leave levels, tasks and repetitions out"
            )));
        }
        let score = run.score.clone();
        let (judges, judge_local) = match score {
            Some(score) if !score.judges.is_empty() => (
                JudgeChoice::Models { ids: score.judges, base_url: score.judge_base_url },
                score.judge_local.unwrap_or_default(),
            ),
            _ => (JudgeChoice::Nobody, Default::default()),
        };
        let request = AdaptiveRequest {
            run: self.runs.asked_in_view(RunRequest { score: None, ..run })?,
            metric: MetricId::Sr,
            half_width,
            judges,
            judge_local,
        };
        self.adaptive_on(request, Face::Window)
    }

    /// Starts an adaptive run as a job and returns its id. The job continues when the caller
    /// disconnects.
    ///
    /// # Errors
    /// The errors of [`Compare::adaptive`]; when the model or a judge cannot be reached, or another
    /// job is running.
    pub async fn adaptive_start(&self, request: RunRequest, half_width: f64) -> Result<String, WireError> {
        self.runs.check_idle()?;
        let this = self.clone();
        let task = tokio::task::spawn_blocking(move || this.adaptive_of_form(request, half_width));
        let adaptive = task.await.map_err(WireError::internal)??;
        self.check_adaptive(&adaptive.request).await?;
        let cancel = Cancel::new();
        let (file, job) = self.runs.begin_several(JobKind::Adaptive, &cancel, || {
            let file = self.begin_adaptive(&adaptive)?;
            let about = vec![file.view.id.clone(), file.view.found.model.clone()];
            Ok((file, about))
        })?;
        let watch = Progress::new(job, file.view.expected as u64);
        let (this, id) = (self.clone(), file.view.id.clone());
        tokio::spawn(async move {
            let watch = Arc::new(watch);
            let sink = || Arc::clone(&watch) as Arc<dyn EventSink>;
            let (result, saved) = this.carry_on(adaptive, file, &sink, &cancel).await;
            if let Ok(summary) = &result {
                this.note_adaptive(summary);
            }
            // Runs that were queued in the meantime can begin now.
            watch.finish(result.and(saved));
            this.runs.begin_next();
        });
        Ok(id)
    }

    async fn check_adaptive(&self, request: &AdaptiveRequest) -> Result<(), WireError> {
        let run = &request.run;
        if !self.runs.asks_own_model(run)? {
            self.runs.models.check_model(&run.model, run.base_url.as_deref()).await?;
        }
        if let JudgeChoice::Models { ids, base_url } = &request.judges {
            self.runs.scoring.check_judges(ids, base_url.as_deref(), &request.judge_local).await?;
            self.runs.scoring.check_judge_caps(ids, &run.caps())?;
        }
        Ok(())
    }

    /// Writes the estimate as a note on each run, because lists show these runs together with
    /// complete runs. An error is ignored, because the estimate is valid without the note.
    fn note_adaptive(&self, summary: &AdaptiveSummary) {
        let sentence = self.workspace.language().say(&summary.estimate.sentence);
        for folder in &summary.runs {
            let _ = self.runs.library.run_note(&id_of(folder), sentence.clone());
        }
    }

    /// All adaptive runs that were started on the command line or in the window, newest first.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn adaptive_list(&self) -> Result<Vec<AdaptiveView>, WireError> {
        let here = self.adaptive_here();
        let mut views = self.kept_adaptive()?;
        for view in &mut views {
            view.is_here = here.contains(&view.id);
        }
        Ok(views)
    }

    /// One adaptive run with its results so far.
    ///
    /// # Errors
    /// When there is no such adaptive run.
    pub fn adaptive_show(&self, id: &str) -> Result<AdaptiveView, WireError> {
        let here = self.adaptive_here();
        let (view, _) = self.adaptive_of(id)?;
        let is_here = here.contains(&view.id);
        Ok(AdaptiveView { is_here, ..view })
    }

    /// Ids of the adaptive runs that run in this process. Callers must request the ids before they
    /// read files; a run that ends in between is then marked as ended in its file.
    fn adaptive_here(&self) -> Vec<String> {
        let jobs = self.workspace.jobs().into_iter();
        jobs.filter(|job| job.kind == JobKind::Adaptive && !job.finished)
            .filter_map(|job| job.about.into_iter().next())
            .collect()
    }

    /// Removes an adaptive run from the list; its runs and reports stay.
    ///
    /// # Errors
    /// When there is no such adaptive run, it is still running, or its file cannot be removed.
    pub fn adaptive_forget(&self, id: &str) -> Result<(), WireError> {
        let (view, path) = self.adaptive_of(id)?;
        if self.adaptive_here().contains(&view.id) {
            return Err(WireError::busy(say!("the adaptive run is under way; cancel it first")));
        }
        std::fs::remove_file(path).map_err(WireError::internal)
    }
}
