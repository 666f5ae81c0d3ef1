//! Finds, converts and loads a model.

use super::memory::LoadedModel;
use super::{
    ComputeDevice, Dtype, LocalRun, LocalSettings, LocalTrialRequest, MOST_THREADS, PARALLEL, Quantization,
};
use crate::Models;
use crate::local_name;
use crate::wire::{LocalChoice, ModelKind, ModelSummary};
use koab_core::say;
use koab_core::sentence::ToSentence;
use koab_engine::ports::{Cancel, ModelAdapter};
use koab_local::convert::{self, ConvertError, Precision, Record};
use koab_local::engine::Device;
use koab_local::hf::Folder;
use koab_local::library::{Entry, EntryOrigin, Kind};
use koab_local::model::{LocalModel, ModelFiles, ModelOptions};
use koab_local::tool_text::ToolForm;
use koab_workspace::jobs::JobKind;
use koab_workspace::{WireError, blocking};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A model to be loaded.
struct LoadRequest {
    files: ModelFiles,
    /// Name of the precision.
    precision: Option<String>,
    sha256: Option<String>,
}

impl Models {
    /// Opens a model that is stored on this disk, for `parallel` conversations at once or a default
    /// number.
    ///
    /// # Errors
    /// When there is no such model, it cannot be converted or loaded, or another one is in use.
    pub(crate) async fn open_local(
        &self,
        id: &str,
        settings: &LocalSettings,
        parallel: Option<u32>,
    ) -> Result<(Arc<dyn ModelAdapter>, LocalRun), WireError> {
        let (model, run) = self.load_local(id, settings, parallel).await?;
        Ok((model, run))
    }

    /// Like [`Self::open_local`], but returns the loaded model itself.
    pub(super) async fn load_local(
        &self,
        id: &str,
        settings: &LocalSettings,
        parallel: Option<u32>,
    ) -> Result<(Arc<LocalModel>, LocalRun), WireError> {
        let name = local_name(id).unwrap_or(id).to_owned();
        let form = settings.tool_form.as_ref().map(|form| form.parse::<ToolForm>());
        let form = form.transpose().map_err(|error| WireError::bad_request(error.to_sentence()))?;
        if let Some(threads) = settings.threads.filter(|threads| !(1..=MOST_THREADS).contains(threads)) {
            return Err(WireError::bad_request(say!(
                "{threads} threads are not possible; give 1 to {MOST_THREADS}"
            )));
        }
        let options = ModelOptions {
            device: device(settings.device),
            context: settings.context,
            parallel: parallel.unwrap_or(PARALLEL).max(1),
            threads: settings.threads,
            form,
            constrained: settings.constrained,
        };
        // The lock is held during conversion and loading: a caller that requests the same model
        // meanwhile waits and shares it.
        let loaded = Arc::clone(&self.state.loaded.0).lock_owned().await;
        let (models, chosen) = (self.clone(), settings.clone());
        // If the caller is dropped, the conversion is cancelled; its thread would otherwise run to
        // the end.
        let cancel = Cancel::new();
        let _ends_with_this = cancel.clone().drop_guard();
        let request = blocking(move || models.local_files(&name, &chosen, &cancel)).await?;
        let in_use = loaded.as_ref().and_then(|current| Some((current.model.upgrade()?, current)));
        let model = match in_use {
            Some((model, current))
                if current.files == request.files && serves(&current.options, &options) =>
            {
                model
            }
            Some((_, current)) => {
                return Err(WireError::busy(say!(
                    "{} is loaded with other settings or for another run; wait until that has ended: one model at a time is loaded",
                    current.files.weights.display()
                )));
            }
            None => {
                let (files, with) = (request.files.clone(), options.clone());
                // Loading cannot be cancelled. If its caller is dropped, the next caller waits
                // until the model is loaded and unloaded again.
                let (model, mut loaded) = blocking(move || {
                    let model = LocalModel::open(&files, &with);
                    let model = model.map_err(|error| WireError::bad_request(error.to_sentence()))?;
                    Ok((Arc::new(model), loaded))
                })
                .await?;
                *loaded = Some(LoadedModel {
                    files: request.files.clone(),
                    options: options.clone(),
                    model: Arc::downgrade(&model),
                });
                model
            }
        };
        let facts = model.engine().facts();
        let run = LocalRun {
            settings: LocalSettings { threads: Some(facts.threads), ..settings.clone() },
            precision: request.precision,
            sha256: request.sha256,
            weights_bytes: facts.weights_bytes,
            context_used: facts.context_per_sequence,
            parallel: facts.parallel,
            form: model.form().to_string(),
            reads_form_alone: model.form() != ToolForm::Auto,
        };
        Ok((model, run))
    }

    /// The files of a model at the requested precision, which are converted if they do not exist
    /// yet.
    fn local_files(
        &self,
        name: &str,
        settings: &LocalSettings,
        cancel: &Cancel,
    ) -> Result<LoadRequest, WireError> {
        let entry = self.local_entry(name)?;
        if entry.kind == Kind::Gguf {
            has_its_precision(&entry, settings)?;
            let sha256 = self.library()?.sha256(&entry, &|| !cancel.is_cancelled());
            return Ok(LoadRequest {
                sha256: sha256.map_err(|error| WireError::bad_request(error.to_sentence()))?,
                precision: entry.facts.quantization,
                files: ModelFiles { weights: entry.path, tokenizer: None },
            });
        }
        let (precision, out, record) = self.converted(&entry, settings, cancel)?;
        Ok(LoadRequest {
            files: ModelFiles { weights: out.join(convert::MODEL), tokenizer: Some(out) },
            precision: Some(precision.name().to_owned()),
            sha256: Some(record.model.sha256),
        })
    }

    /// The converted model of an entry. It is converted now if it does not exist or is out of date.
    fn converted(
        &self,
        entry: &Entry,
        settings: &LocalSettings,
        cancel: &Cancel,
    ) -> Result<(Precision, PathBuf, Record), WireError> {
        if entry.origin == EntryOrigin::Converted {
            return self.kept_conversion(entry, settings);
        }
        let folder =
            Folder::open(&entry.path).map_err(|error| WireError::bad_request(error.to_sentence()))?;
        let precision = precision_asked(settings).unwrap_or_else(|| Precision::as_stored(&folder));
        let out = self.library()?.conversion_folder(entry, precision.name());
        let record = match current_conversion(&out, &folder) {
            Some(record) => record,
            None => self.convert_local(&entry.name, &folder, precision, &out, cancel)?,
        };
        Ok((precision, out, record))
    }

    /// A conversion whose source is gone: only the existing precisions are available.
    pub(super) fn kept_conversion(
        &self,
        entry: &Entry,
        settings: &LocalSettings,
    ) -> Result<(Precision, PathBuf, Record), WireError> {
        let there: Vec<&str> = entry.conversions.iter().map(|one| one.precision.as_str()).collect();
        let only = there.first().filter(|_| there.len() == 1).and_then(|name| name.parse().ok());
        let precision: Precision = precision_asked(settings).or(only).ok_or_else(|| {
            WireError::bad_request(say!(
                "of {} only conversions are left; name one with --quantization or --dtype: {}",
                entry.name,
                there.join(", ")
            ))
        })?;
        let out = self.library()?.conversion_folder(entry, precision.name());
        let record = Record::read(&out).map_err(|_| {
            WireError::not_found(say!(
                "of {} only conversions are left, and none at {precision}; there is {}; fetch the model again for others",
                entry.name,
                there.join(", ")
            ))
        })?;
        Ok((precision, out, record))
    }

    /// The models on this disk that can be run.
    pub(crate) async fn local_choices(&self) -> Result<Vec<ModelSummary>, WireError> {
        let models = self.clone();
        let entries = blocking(move || Ok(models.library()?.list())).await?;
        let usable = entries.into_iter().filter(|entry| entry.problem.is_none());
        Ok(usable
            .map(|entry| ModelSummary {
                id: format!("local/{}", entry.name),
                kind: ModelKind::Local,
                default_base_url: None,
                needs_base_url: false,
                needs: Vec::new(),
                local: Some(LocalChoice {
                    converts: entry.kind == Kind::Safetensors,
                    context: entry.facts.context.and_then(|context| context.try_into().ok()),
                }),
                connection: None,
            })
            .collect())
    }

    /// Checks whether a model could be opened, as far as possible without loading it.
    ///
    /// # Errors
    /// When there is no such model, its files are incomplete, or the precision is not available.
    pub async fn check_local(&self, id: &str, settings: &LocalSettings) -> Result<(), WireError> {
        let request = LocalTrialRequest {
            name: local_name(id).unwrap_or(id).to_owned(),
            settings: settings.clone(),
            parallel: None,
        };
        let models = self.clone();
        blocking(move || models.local_need(&request).map(drop)).await
    }

    pub(super) fn local_entry(&self, name: &str) -> Result<Entry, WireError> {
        let entry = self.library()?.find(name).map_err(|error| WireError::not_found(error.to_sentence()))?;
        match &entry.problem {
            Some(problem) => Err(WireError::bad_request(say!("{} cannot be used: {problem}", entry.name))),
            None => Ok(entry),
        }
    }

    /// Converts a model and keeps the result. The job can be watched and cancelled.
    fn convert_local(
        &self,
        name: &str,
        folder: &Folder,
        precision: Precision,
        out: &Path,
        cancel: &Cancel,
    ) -> Result<Record, WireError> {
        let about = vec![name.to_owned(), precision.name().to_owned()];
        let job = self.workspace.begin_job(JobKind::ModelConversion, about, Some(cancel));
        let converted = convert::convert(folder, out, precision, &|progress| {
            job.progress(progress.done, progress.total);
            if cancel.is_cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        job.finish(converted.map(|done| done.record).map_err(|error| match error {
            ConvertError::Cancelled => WireError::cancelled(error.to_sentence()),
            _ => WireError::bad_request(error.to_sentence()),
        }))
    }
}

/// The conversion in `out`, if it was made from the current files in the folder.
pub(super) fn current_conversion(out: &Path, folder: &Folder) -> Option<Record> {
    Record::read(out).ok().filter(|record| record.is_current(out, folder))
}

/// Whether a loaded model also serves a request with other options. All options must be equal,
/// except that the loaded model may keep more conversations at once.
fn serves(loaded: &ModelOptions, requested: &ModelOptions) -> bool {
    let same = ModelOptions {
        parallel: requested.parallel,
        // A request without a number of threads accepts any.
        threads: requested.threads.and(loaded.threads),
        ..loaded.clone()
    };
    same == *requested && loaded.parallel >= requested.parallel
}

/// Refuses a requested precision if the model's file already has a fixed one, as GGUF files do.
pub(super) fn has_its_precision(entry: &Entry, settings: &LocalSettings) -> Result<(), WireError> {
    if settings.precision().is_none() {
        return Ok(());
    }
    Err(WireError::bad_request(say!(
        "{} is a GGUF file, whose precision is fixed; leave --quantization and --dtype out, or choose the file of the precision you want",
        entry.name
    )))
}

/// The requested precision; `None` means the published one.
pub(super) fn precision_asked(settings: &LocalSettings) -> Option<Precision> {
    match (settings.quantization, settings.dtype) {
        (Some(Quantization::FourBit), _) => Some(Precision::Q4),
        (Some(Quantization::EightBit), _) => Some(Precision::Q8_0),
        (None, Dtype::Float16) => Some(Precision::F16),
        (None, Dtype::Bfloat16) => Some(Precision::BF16),
        (None, Dtype::Float32) => Some(Precision::F32),
        (None, Dtype::Auto) => None,
    }
}

fn device(device: ComputeDevice) -> Device {
    match device {
        ComputeDevice::Auto => Device::Auto,
        ComputeDevice::Cpu => Device::Cpu,
        ComputeDevice::Cuda => Device::Cuda,
        ComputeDevice::Metal => Device::Metal,
        ComputeDevice::Vulkan => Device::Vulkan,
    }
}
