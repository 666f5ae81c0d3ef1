//! Adaptive runs for the window: planned from the form of a run, begun as a job, listed and read.

use super::file::{AdaptiveView, id_of};
use super::{Adaptive, AdaptiveOutlook, AdaptiveRequest, AdaptiveSummary};
use crate::Compare;
use crate::progress::Progress;
use crate::scored::Face;
use koab_core::say;
use koab_core::score::MetricId;
use koab_engine::ports::{Cancel, EventSink};
use koab_runs::options::JudgeChoice;
use koab_runs::{RunRequest, WireError};
use koab_workspace::jobs::JobKind;
use std::sync::Arc;

impl Compare {
    /// Plans what the form says. Writes nothing and asks nobody.
    ///
    /// # Errors
    /// As [`Compare::adaptive`].
    pub fn adaptive_plan(&self, request: RunRequest, half_width: f64) -> Result<AdaptiveOutlook, WireError> {
        Ok(self.adaptive_of_form(request, half_width)?.outlook())
    }

    fn adaptive_of_form(&self, run: RunRequest, half_width: f64) -> Result<Adaptive, WireError> {
        if !run.levels.is_empty() || !run.tasks.is_empty() || run.repetitions != 1 || run.resume.is_some() {
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

    /// Begins an adaptive run as a job and gives its id; it goes on when whoever asked goes away.
    ///
    /// # Errors
    /// As [`Compare::adaptive`]; when model or judge cannot be asked, or something is under way.
    pub async fn adaptive_start(&self, request: RunRequest, half_width: f64) -> Result<String, WireError> {
        self.runs.check_idle()?;
        let this = self.clone();
        let planned = tokio::task::spawn_blocking(move || this.adaptive_of_form(request, half_width));
        let adaptive = planned.await.map_err(WireError::internal)??;
        self.check_adaptive(&adaptive.request).await?;
        let cancel = Cancel::new();
        let (kept, job) = self.runs.begin_several(JobKind::Adaptive, &cancel, || {
            let kept = self.begin_adaptive(&adaptive)?;
            let about = vec![kept.view.id.clone(), kept.view.found.model.clone()];
            Ok((kept, about))
        })?;
        let watch = Progress::new(job, kept.view.expected as u64);
        let (this, id) = (self.clone(), kept.view.id.clone());
        tokio::spawn(async move {
            let watch = Arc::new(watch);
            let sink = || Arc::clone(&watch) as Arc<dyn EventSink>;
            let (played, ended) = this.carry_on(adaptive, kept, &sink, &cancel).await;
            if let Ok(found) = &played {
                this.note_adaptive(found);
            }
            // Runs that were queued meanwhile waited for it.
            watch.finish(played.and(ended));
            this.runs.begin_next();
        });
        Ok(id)
    }

    async fn check_adaptive(&self, request: &AdaptiveRequest) -> Result<(), WireError> {
        let run = &request.run;
        if !self.runs.asks_own_model(run)? {
            self.runs.scoring.check_model(&run.model, run.base_url.as_deref()).await?;
        }
        if let JudgeChoice::Models { ids, base_url } = &request.judges {
            self.runs.scoring.check_judges(ids, base_url.as_deref(), &request.judge_local).await?;
            self.runs.scoring.check_judge_caps(ids, &run.caps())?;
        }
        Ok(())
    }

    /// Notes on its runs what was found: in a list these stand beside whole runs. What was found
    /// stands without it.
    fn note_adaptive(&self, found: &AdaptiveSummary) {
        let said = self.workspace.language().say(&found.estimate.sentence);
        for folder in &found.runs {
            let _ = self.runs.run_note(&id_of(folder), said.clone());
        }
    }

    /// Adaptive runs that were begun, on the command line or here, the newest first.
    ///
    /// # Errors
    /// When the workspace cannot be read.
    pub fn adaptive_list(&self) -> Result<Vec<AdaptiveView>, WireError> {
        let here = self.adaptive_here();
        let mut kept = self.kept_adaptive()?;
        for view in &mut kept {
            view.is_here = here.contains(&view.id);
        }
        Ok(kept)
    }

    /// One of them, as far as it is.
    ///
    /// # Errors
    /// When there is no such adaptive run.
    pub fn adaptive_show(&self, id: &str) -> Result<AdaptiveView, WireError> {
        let here = self.adaptive_here();
        let (view, _) = self.adaptive_of(id)?;
        let is_here = here.contains(&view.id);
        Ok(AdaptiveView { is_here, ..view })
    }

    /// Those that are under way in this process. Asked before files are read: one that ends in
    /// between is over in its file.
    fn adaptive_here(&self) -> Vec<String> {
        let jobs = self.workspace.jobs().into_iter();
        jobs.filter(|job| job.kind == JobKind::Adaptive && !job.finished)
            .filter_map(|job| job.about.into_iter().next())
            .collect()
    }

    /// Takes one out of the list; its runs and reports stay.
    ///
    /// # Errors
    /// When there is no such adaptive run, it is under way, or its file cannot be removed.
    pub fn adaptive_forget(&self, id: &str) -> Result<(), WireError> {
        let (view, path) = self.adaptive_of(id)?;
        if self.adaptive_here().contains(&view.id) {
            return Err(WireError::busy(say!("the adaptive run is under way; cancel it first")));
        }
        std::fs::remove_file(path).map_err(WireError::internal)
    }
}
