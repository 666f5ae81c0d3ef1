//! Write mode: what is not recorded is asked of the real services, with the user's keys for them.
//!
//! Which keys a run may need follows from the tools that its tasks may call. Those that are missing are named before
//! anything is asked or spent.

use crate::Api;
use crate::options::{CacheMode, RunOptions};
use crate::wire::WireError;
use koab_core::pack::Pack;
use koab_core::protocol::Protocol;
use koab_core::task::Task;
use koab_core::tool::ToolCatalog;
use koab_engine::ports::LiveTools;
use koab_providers::services::{self, ServiceInfo, Services};
use koab_store::OverlayEntry;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is kept beside a pack.
#[derive(Clone, Debug, Serialize)]
pub struct OverlayView {
    /// Pack name.
    pub pack: String,
    /// By tool and arguments.
    pub entries: Vec<OverlayEntry>,
}

impl Api {
    /// Answers of the real services that are kept beside the active pack.
    ///
    /// # Errors
    /// When no pack is active.
    pub fn cache_overlay(&self) -> Result<OverlayView, WireError> {
        let pack = self.pack_name(None)?;
        let entries = self.store()?.overlay_entries(&pack)?;
        Ok(OverlayView { pack, entries })
    }

    /// Forgets the answers that are kept beside the active pack, and returns how many there were.
    ///
    /// # Errors
    /// When no pack is active, or the database cannot be written.
    pub fn cache_overlay_clear(&self) -> Result<usize, WireError> {
        let pack = self.pack_name(None)?;
        Ok(self.store()?.clear_overlay(&pack)?)
    }

    /// Finds out whether the services that a run in write mode may ask can be asked, without asking any of them.
    ///
    /// # Errors
    /// When there is no such pack, level or task, a key is missing, or an address cannot be used.
    pub async fn check_services(&self, options: &RunOptions) -> Result<(), WireError> {
        let (pack, tasks) = self.tasks_of(options)?;
        self.open_services(options, &pack, &tasks).await.map(drop)
    }

    /// These services with the pack's overlay, in which `origin` says who asked.
    pub(crate) fn live_tools(
        &self,
        services: Services,
        pack: &Pack,
        origin: &str,
    ) -> Result<LiveTools, WireError> {
        let catalog = ToolCatalog::new(pack.tools.iter().cloned());
        let overlay = self.store()?.overlay(&pack.manifest.name, catalog, origin)?;
        Ok(LiveTools {
            services: Arc::new(services),
            overlay: Some(Arc::new(overlay)),
        })
    }

    /// The services that a run may ask; `None` when it reads recorded responses only.
    pub(crate) async fn open_services(
        &self,
        options: &RunOptions,
        pack: &Pack,
        tasks: &[Task],
    ) -> Result<Option<Services>, WireError> {
        if options.cache_mode == CacheMode::Read {
            return Ok(None);
        }
        let asked = asked_services(pack, tasks, options.protocol);
        let names: Vec<&str> = asked.keys().flat_map(|name| keys_of(name)).copied().collect();
        let keys = self.keys_named(&names).await?;
        let missing: BTreeSet<&str> = names
            .iter()
            .copied()
            .filter(|name| keys.get(name).is_none())
            .collect();
        if !missing.is_empty() && !options.without_keys {
            return Err(WireError::not_found(keys.explain(missing_keys(&asked, &missing))));
        }
        koab_providers::use_proxy(self.proxy()?);
        let address = |variable: &str| std::env::var(variable).ok().filter(|url| !url.trim().is_empty());
        Services::open(|name| keys.get(name), address, &self.inner.tokens)
            .map(Some)
            .map_err(|error| WireError::bad_request(error.to_string()))
    }
}

/// The services behind the tools that the tasks may call, by name, with those tools.
fn asked_services(
    pack: &Pack,
    tasks: &[Task],
    protocol: Protocol,
) -> BTreeMap<&'static str, BTreeSet<String>> {
    let known = |tool: &String| pack.tools.iter().any(|spec| spec.name == *tool);
    let mut asked: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
    for task in tasks {
        let mut tools = task.expected_tools();
        tools.extend(task.fallback_tools());
        if protocol.rules().l2_offers_distractors {
            tools.extend(task.available_tools());
        }
        for tool in tools.into_iter().filter(known) {
            if let Some(service) = services::of_tool(&tool) {
                asked.entry(service.name).or_default().insert(tool);
            }
        }
    }
    asked
}

fn keys_of(service: &str) -> &'static [&'static str] {
    service_named(service).map(|info| info.keys).unwrap_or_default()
}

fn service_named(name: &str) -> Option<&'static ServiceInfo> {
    services::list().find(|info| info.name == name)
}

fn missing_keys(asked: &BTreeMap<&'static str, BTreeSet<String>>, missing: &BTreeSet<&str>) -> String {
    let services: Vec<&str> = asked
        .keys()
        .filter_map(|name| service_named(name))
        .filter(|info| info.keys.iter().any(|key| missing.contains(key)))
        .map(|info| info.title)
        .collect();
    let missing: Vec<&str> = missing.iter().copied().collect();
    format!(
        "the tasks may ask services whose keys are missing: {} (for {}); store them with `koab keys set NAME`, choose other tasks, or add --without-keys to leave these services out",
        missing.join(", "),
        services.join(", ")
    )
}
