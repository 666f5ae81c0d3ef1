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

/// What is to be loaded.
struct LoadRequest {
    files: ModelFiles,
    /// In words.
    precision: Option<String>,
    sha256: Option<String>,
}

impl Models {
    /// A model of this disk, ready to be asked. `parallel` conversations at once, or a default.
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

    /// As [`Self::open_local`], for who wants more of it than answers.
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
                "{threads} threads make no sense; give 1 to {MOST_THREADS}"
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
        // Held over conversion and loading: who asks for the same model at the same time waits and
        // shares it.
        let held = Arc::clone(&self.state.loaded.0).lock_owned().await;
        let (models, asked) = (self.clone(), settings.clone());
        // Who goes away ends the conversion with it: it is done on a thread that would otherwise go
        // on to its end.
        let cancel = Cancel::new();
        let _ends_with_this = cancel.clone().drop_guard();
        let wanted = blocking(move || models.local_files(&name, &asked, &cancel)).await?;
        let in_use = held.as_ref().and_then(|held| Some((held.model.upgrade()?, held)));
        let model = match in_use {
            Some((model, held)) if held.files == wanted.files && serves(&held.options, &options) => model,
            Some((_, held)) => {
                return Err(WireError::busy(say!(
                    "{} is loaded with other settings or for another run; wait until that has ended: one model at a time is loaded",
                    held.files.weights.display()
                )));
            }
            None => {
                let (files, with) = (wanted.files.clone(), options.clone());
                // Loading cannot be stopped. When its caller goes away, whoever asks next waits
                // until the model is loaded and gone again.
                let (model, mut held) = blocking(move || {
                    let model = LocalModel::open(&files, &with);
                    let model = model.map_err(|error| WireError::bad_request(error.to_sentence()))?;
                    Ok((Arc::new(model), held))
                })
                .await?;
                *held = Some(LoadedModel {
                    files: wanted.files.clone(),
                    options: options.clone(),
                    model: Arc::downgrade(&model),
                });
                model
            }
        };
        let facts = model.engine().facts();
        let run = LocalRun {
            settings: LocalSettings { threads: Some(facts.threads), ..settings.clone() },
            precision: wanted.precision,
            sha256: wanted.sha256,
            weights_bytes: facts.weights_bytes,
            context_used: facts.context_per_sequence,
            parallel: facts.parallel,
            form: model.form().to_string(),
            reads_form_alone: model.form() != ToolForm::Auto,
        };
        Ok((model, run))
    }

    /// The files of a model at the wanted precision, converted if they are not there yet.
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

    /// The converted model of an entry, made now if it is not there or is of older files.
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

    /// A conversion whose source is gone: what is there can be had, and no other precision.
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

    /// The models of this disk that can be run.
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

    /// Whether a model could be opened, as far as that is known without loading it.
    ///
    /// # Errors
    /// When there is no such model, its files are not whole, or the precision cannot be had.
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

    /// Converts a model and keeps it; a job that can be watched and stopped.
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

/// The conversion in `out`, if it is of the files that are in the folder now.
pub(super) fn current_conversion(out: &Path, folder: &Folder) -> Option<Record> {
    Record::read(out).ok().filter(|record| record.is_current(out, folder))
}

/// Whether a model that was loaded in one way does for who wants it in another: in all the same,
/// but that it may keep more conversations at once.
fn serves(loaded: &ModelOptions, wanted: &ModelOptions) -> bool {
    let same = ModelOptions {
        parallel: wanted.parallel,
        // Who asks for no number takes any.
        threads: wanted.threads.and(loaded.threads),
        ..loaded.clone()
    };
    same == *wanted && loaded.parallel >= wanted.parallel
}

/// Refuses a precision for a file that has its own.
pub(super) fn has_its_precision(entry: &Entry, settings: &LocalSettings) -> Result<(), WireError> {
    if settings.precision().is_none() {
        return Ok(());
    }
    Err(WireError::bad_request(say!(
        "{} is a GGUF file, whose precision is fixed; leave --quantization and --dtype out, or choose the file of the precision you want",
        entry.name
    )))
}

/// The precision that was asked for; `None` means the published one.
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
