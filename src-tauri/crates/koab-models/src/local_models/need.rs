//! Memory that a model needs, computed from its files before anything is converted or loaded.

use super::load::{current_conversion, has_its_precision, precision_asked};
use super::{ComputeDevice, LocalNeed, LocalTrialRequest, PARALLEL};
use crate::Models;
use koab_core::sentence::ToSentence;
use koab_local::convert::{self, Precision};
use koab_local::engine::{Device, available_memory, cells};
use koab_local::gguf::{Facts, Header, parts_of};
use koab_local::hf::Folder;
use koab_local::library::{EntryOrigin, Kind};
use koab_local::model::USUAL_CONTEXT;
use koab_workspace::WireError;
use std::path::Path;

/// Bytes of one number in the attention memory (KV cache).
const KV_NUMBER_BYTES: u64 = 2;

/// Facts about a model, read from the headers of its files.
struct FileFacts {
    weights_bytes: u64,
    kept_per_token: Option<u64>,
    trained: Option<u64>,
    converts: bool,
}

impl Models {
    /// Memory that a model would need with these settings. Only headers are read.
    ///
    /// # Errors
    /// When there is no such model, its files are incomplete, or the precision is not available.
    pub fn local_need(&self, request: &LocalTrialRequest) -> Result<LocalNeed, WireError> {
        let entry = self.local_entry(&request.name)?;
        let settings = &request.settings;
        let facts = if entry.kind == Kind::Gguf {
            has_its_precision(&entry, settings)?;
            of_gguf(&entry.path)?
        } else if entry.origin == EntryOrigin::Converted {
            let (_, folder, _) = self.kept_conversion(&entry, settings)?;
            of_gguf(&folder.join(convert::MODEL))?
        } else {
            let folder = Folder::open(&entry.path).map_err(bad)?;
            let precision = precision_asked(settings).unwrap_or_else(|| Precision::as_stored(&folder));
            let out = self.library()?.conversion_folder(&entry, precision.name());
            FileFacts {
                converts: current_conversion(&out, &folder).is_none(),
                ..of_folder(&folder, precision)?
            }
        };
        let trained = facts.trained.and_then(|trained| u32::try_from(trained).ok());
        let context = settings.context.unwrap_or(USUAL_CONTEXT).min(trained.unwrap_or(u32::MAX));
        let parallel = request.parallel.unwrap_or(PARALLEL).max(1);
        let cells = u64::from(cells(context, parallel));
        Ok(LocalNeed {
            weights_bytes: facts.weights_bytes,
            kv_bytes: facts
                .kept_per_token
                .map(|numbers| numbers.saturating_mul(KV_NUMBER_BYTES).saturating_mul(cells)),
            memory_available: available_memory().filter(|_| computes_in_memory(settings.device)),
            context,
            parallel,
            converts: facts.converts,
        })
    }
}

/// Whether the model would certainly use the processor and the main memory, because no graphics
/// card can be chosen.
fn computes_in_memory(device: ComputeDevice) -> bool {
    let has_card = [Device::Cuda, Device::Metal, Device::Vulkan].into_iter().any(Device::is_built);
    device == ComputeDevice::Cpu || (device == ComputeDevice::Auto && !has_card)
}

fn of_gguf(path: &Path) -> Result<FileFacts, WireError> {
    let facts = Facts::from_header(&Header::read(path).map_err(bad)?);
    let mut weights_bytes = 0;
    for part in parts_of(path).map_err(bad)? {
        weights_bytes += part.metadata().map_err(bad)?.len();
    }
    Ok(FileFacts {
        weights_bytes,
        kept_per_token: facts.kept_per_token,
        trained: facts.context,
        converts: false,
    })
}

fn of_folder(folder: &Folder, precision: Precision) -> Result<FileFacts, WireError> {
    let config = folder.config();
    Ok(FileFacts {
        weights_bytes: convert::planned_bytes(folder, precision).map_err(bad)?,
        // Keys and values have the same size.
        kept_per_token: Some(2 * config.layers * config.kv_heads * config.head_dim),
        trained: Some(config.context),
        converts: true,
    })
}

fn bad(error: impl ToSentence) -> WireError {
    WireError::bad_request(error.to_sentence())
}
