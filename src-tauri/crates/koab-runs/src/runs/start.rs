//! Starts runs in the background.

use crate::Runs;
use koab_core::say;
use koab_engine::ports::{Cancel, EventSink, Pause};
use koab_library::RunRequest;
use koab_workspace::WireError;
use std::sync::Arc;

impl Runs {
    /// Starts a run in the background, and returns once it has started.
    ///
    /// # Errors
    /// Every error of [`Runs::run`]. Also when another run is being made.
    pub async fn run_start(&self, request: RunRequest, sink: Arc<dyn EventSink>) -> Result<(), WireError> {
        if self.is_busy() {
            return Err(WireError::busy(say!("a run is already under way; cancel it or wait for it")));
        }
        self.check_request(&request)?;
        let cancel = Cancel::new();
        let options = self.asked_in_view(request)?;
        let live = self.enter(&options.run, cancel.clone(), Pause::default())?;
        let _missed = live.subscribe(sink);
        let prepared = match self.prepare(&options, live.clone(), &cancel).await {
            Ok(prepared) => prepared,
            Err(error) => {
                self.leave(&live);
                return live.job.finish(Err(error));
            }
        };
        let api = self.clone();
        tokio::spawn(async move {
            let end = api.carry_out(prepared, &live, cancel).await;
            api.begin_next();
            // The window gets the outcome by the last event.
            let _ = live.job.finish(end);
        });
        Ok(())
    }
}
