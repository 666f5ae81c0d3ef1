//! Local models as runs and judges use them: the user's settings, and preparing a model.
//!
//! A model is ready if it was found on the disk, converted at the requested precision (once; the
//! result is kept) and loaded. A process has one loaded model. Callers that request the same model
//! share it, and it is unloaded when the last one drops it. [`crate::weights`] lists and downloads
//! the models on the disk.

#[cfg(feature = "local")]
mod doctor;
#[cfg(feature = "local")]
mod engine;
#[cfg(feature = "local")]
mod load;
#[cfg(feature = "local")]
mod memory;
#[cfg(feature = "local")]
mod need;
mod settings;
mod speed;
mod trial;
mod trials;
mod wire;
#[cfg(feature = "local")]
pub(crate) use memory::Loaded;

pub use settings::{ComputeDevice, Dtype, LocalRun, LocalSettings, MOST_THREADS, Quantization};
pub use speed::LocalSpeed;
pub(crate) use trials::Trials;
pub use wire::{
    LocalAdvice, LocalEngine, LocalExamination, LocalNeed, LocalTrial, LocalTrialRequest, LongestPrompt,
};

/// Default number of conversations at once.
pub(crate) const PARALLEL: u32 = 4;

#[cfg(not(feature = "local"))]
mod absent {
    use crate::Models;
    use crate::local_models::{LocalRun, LocalSettings};
    use koab_engine::ports::ModelAdapter;
    use koab_workspace::WireError;
    use std::sync::Arc;

    impl Models {
        pub(crate) async fn open_local(
            &self,
            _: &str,
            _: &LocalSettings,
            _: Option<u32>,
        ) -> Result<(Arc<dyn ModelAdapter>, LocalRun), WireError> {
            Err(WireError::bad_request(crate::without_local::MODEL))
        }

        pub(crate) async fn local_choices(&self) -> Result<Vec<crate::wire::ModelSummary>, WireError> {
            Ok(Vec::new())
        }

        /// Loads a model that is stored on this disk and measures its memory, speed and
        /// repeatability.
        ///
        /// # Errors
        /// Always: this build has no models.
        pub async fn local_doctor(
            &self,
            _: &str,
            _: &LocalSettings,
            _: Option<u32>,
        ) -> Result<super::LocalExamination, WireError> {
            Err(WireError::bad_request(crate::without_local::MODEL))
        }

        /// Checks whether a model could be opened.
        ///
        /// # Errors
        /// Always: this build has no models.
        pub async fn check_local(&self, _: &str, _: &LocalSettings) -> Result<(), WireError> {
            Err(WireError::bad_request(crate::without_local::MODEL))
        }

        pub(super) async fn examine_local(
            &self,
            _: &str,
            _: &LocalSettings,
            _: Option<u32>,
            _: &(dyn Fn(u32, u32) + Sync),
        ) -> Result<super::LocalExamination, WireError> {
            Err(WireError::bad_request(crate::without_local::MODEL))
        }

        /// Memory that a model would need.
        ///
        /// # Errors
        /// Always: this build has no models.
        pub fn local_need(&self, _: &super::LocalTrialRequest) -> Result<super::LocalNeed, WireError> {
            Err(WireError::bad_request(crate::without_local::MODEL))
        }

        /// Devices that this build can use for local models, and the formats of tool calls that it
        /// can read. Both lists are empty.
        ///
        /// # Errors
        /// This does not fail today. It returns a `Result` because every command of the window
        /// does.
        pub fn local_engine(&self) -> Result<super::LocalEngine, WireError> {
            Ok(super::LocalEngine { devices: Vec::new(), tool_forms: Vec::new() })
        }
    }
}
