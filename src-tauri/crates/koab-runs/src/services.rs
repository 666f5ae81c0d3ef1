//! Write mode: cache misses become live calls with the user's keys.
//!
//! The tools that the tasks may call determine which keys are needed. Missing keys are reported
//! before the first call.

use crate::Runs;
use koab_core::catalog::ToolCatalog;
use koab_core::pack::Pack;
use koab_core::protocol::Protocol;
use koab_core::run_record::CacheMode;
use koab_core::say;
use koab_core::sentence::Sentence;
use koab_core::sentence::ToSentence;
use koab_core::task::Task;
use koab_engine::ports::{LiveTools, ToolServices};
use koab_library::{RunRequest, ServiceKey, ServiceState};
use koab_providers::services::{self, ServiceInfo, Services};
use koab_store::OverlayEntry;
use koab_workspace::WireError;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Services by name, each with the tools that call the service.
pub(crate) type NeededServices = BTreeMap<&'static str, BTreeSet<String>>;

/// The saved responses of a pack.
#[derive(Clone, Debug, Serialize)]
pub struct OverlayView {
    /// Pack name.
    pub pack: String,
    /// Saved responses, sorted by tool and arguments.
    pub entries: Vec<OverlayEntry>,
}

impl Runs {
    /// Returns the saved responses of the active pack.
    ///
    /// # Errors
    /// When no pack is active.
    pub fn cache_overlay(&self) -> Result<OverlayView, WireError> {
        let pack = self.workspace.pack_name(None)?;
        let entries = self.workspace.store()?.overlay_entries(&pack)?;
        Ok(OverlayView { pack, entries })
    }

    /// Deletes the saved responses of the active pack, and returns their number.
    ///
    /// # Errors
    /// When no pack is active, or the database cannot be written.
    pub fn cache_overlay_clear(&self) -> Result<usize, WireError> {
        let pack = self.workspace.pack_name(None)?;
        Ok(self.workspace.store()?.clear_overlay(&pack)?)
    }

    /// Checks whether the services that a run in write mode may call are available. The check does
    /// not call the services.
    ///
    /// # Errors
    /// When the pack, level or task does not exist, a key is missing, or an address is invalid.
    pub async fn check_services(&self, options: &RunRequest) -> Result<(), WireError> {
        let options = self.settled(options)?;
        let (pack, tasks) = self.tasks_of(&options)?;
        self.open_services(&options, &pack, &tasks).await.map(drop)
    }

    /// Returns the services that a run may call in write mode, by name. The cache mode of the
    /// request does not matter, and no service is called.
    ///
    /// # Errors
    /// When the pack, level or task does not exist.
    pub async fn run_services(&self, request: RunRequest) -> Result<Vec<ServiceState>, WireError> {
        let (pack, tasks) = self.tasks_of(&request)?;
        self.service_states(&asked_services(&pack, &tasks, request.settings.protocol)).await
    }

    /// Combines these services with the saved responses of the pack. `origin` is recorded with new
    /// responses. Without services, only saved responses are used.
    pub(crate) fn live_tools(
        &self,
        services: Option<Services>,
        pack: &Pack,
        origin: &str,
    ) -> Result<LiveTools, WireError> {
        let catalog = ToolCatalog::new(pack.tools.iter().cloned());
        let overlay = self.workspace.store()?.overlay(&pack.manifest.name, catalog, origin)?;
        Ok(LiveTools {
            services: services.map(|services| Arc::new(services) as Arc<dyn ToolServices>),
            overlay: Some(Arc::new(overlay)),
        })
    }

    /// Returns the services that a run may call; `None` in read mode.
    pub(crate) async fn open_services(
        &self,
        options: &RunRequest,
        pack: &Pack,
        tasks: &[Task],
    ) -> Result<Option<Services>, WireError> {
        if options.cache_mode == CacheMode::Read {
            return Ok(None);
        }
        let needed = asked_services(pack, tasks, options.settings.protocol);
        let opened = self.services_for(&needed, options.without_keys, |keys, services| {
            say!(
                "the tasks may ask services whose keys are missing: {keys} (for {services}); store them with `koab keys set NAME`, choose other tasks, or add --without-keys to leave these services out"
            )
        });
        opened.await.map(Some)
    }

    /// Opens these services. With `without_keys`, a service whose keys are missing is left out.
    /// Otherwise this is an error with the sentence that `refusal` returns.
    pub(crate) async fn services_for(
        &self,
        needed: &NeededServices,
        without_keys: bool,
        refusal: impl FnOnce(&str, &str) -> Sentence,
    ) -> Result<Services, WireError> {
        let names: Vec<&str> = needed.keys().flat_map(|name| keys_of(name)).copied().collect();
        let keys = self.keys.named(&names).await?;
        let missing: BTreeSet<&str> = names.iter().copied().filter(|name| keys.get(name).is_none()).collect();
        if !missing.is_empty() && !without_keys {
            let lacking = needed.keys().filter_map(|name| service_named(name));
            let lacking: Vec<&str> = lacking
                .filter(|info| info.keys.iter().any(|key| missing.contains(key)))
                .map(|info| info.title)
                .collect();
            let missing: Vec<&str> = missing.iter().copied().collect();
            let refusal = refusal(&missing.join(", "), &lacking.join(", "));
            return Err(WireError::not_found(keys.explain(refusal)));
        }
        let network = self.workspace.network()?;
        let address = |variable: &str| std::env::var(variable).ok().filter(|url| !url.trim().is_empty());
        let services = Services::open(&network, |name| keys.get(name), address, &self.inner.tokens)
            .map_err(|error| WireError::bad_request(error.to_sentence()))?;
        // Checked before the first call, since the first miss would end the run.
        services.may_reach(needed.keys().copied())?;
        Ok(services)
    }

    /// Returns these services and whether their keys are present. The values of the keys are not
    /// included.
    pub(crate) async fn service_states(
        &self,
        needed: &NeededServices,
    ) -> Result<Vec<ServiceState>, WireError> {
        let names: Vec<&str> = needed.keys().flat_map(|name| keys_of(name)).copied().collect();
        let named_keys = self.keys.named(&names).await?;
        let state = |(name, tools): (&&'static str, &BTreeSet<String>)| {
            let info = service_named(name)?;
            let keys: Vec<ServiceKey> = info
                .keys
                .iter()
                .map(|key| ServiceKey { name: (*key).to_owned(), present: named_keys.get(key).is_some() })
                .collect();
            Some(ServiceState {
                name: info.name.to_owned(),
                title: info.title.to_owned(),
                tools: tools.iter().cloned().collect(),
                ready: keys.iter().all(|key| key.present),
                keys,
            })
        };
        Ok(needed.iter().filter_map(state).collect())
    }
}

/// Returns the services that the tasks may call, by name. Each service has the tools that call it.
fn asked_services(pack: &Pack, tasks: &[Task], protocol: Protocol) -> NeededServices {
    let is_in_pack = |tool: &String| pack.tools.iter().any(|spec| spec.name == *tool);
    let mut needed = NeededServices::new();
    for task in tasks {
        let mut tools = task.expected_tools();
        tools.extend(task.fallback_tools());
        if protocol.rules().l2_offers_distractors {
            tools.extend(task.available_tools());
        }
        for tool in tools.into_iter().filter(is_in_pack) {
            if let Some(service) = services::of_tool(&tool) {
                needed.entry(service.name).or_default().insert(tool);
            }
        }
    }
    needed
}

fn keys_of(service: &str) -> &'static [&'static str] {
    service_named(service).map(|info| info.keys).unwrap_or_default()
}

fn service_named(name: &str) -> Option<&'static ServiceInfo> {
    services::list().find(|info| info.name == name)
}
