//! Packs by name, as every area reads them.

use crate::{ErrorCode, WireError, Workspace, if_found};
use koab_core::pack::Pack;
use koab_core::say;

impl Workspace {
    /// The name given, else the active pack's.
    ///
    /// # Errors
    /// [`ErrorCode::NoPack`] when none is named and none is active.
    pub fn pack_name(&self, name: Option<&str>) -> Result<String, WireError> {
        match name {
            Some(name) => Ok(name.to_owned()),
            None => self.store()?.active_pack()?.ok_or_else(|| {
                WireError::new(
                    ErrorCode::NoPack,
                    say!("no pack is active; choose one with `koab pack use NAME` or import one with `koab pack import PATH`"),
                )
            }),
        }
    }

    /// The name by which the pack of a label `name@version` is found: the label itself where that
    /// version is installed, else the name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn pack_of_label(&self, label: &str) -> Result<String, WireError> {
        let Some((name, _)) = label.split_once('@') else {
            return Ok(label.to_owned());
        };
        let installed = if_found(self.store()?.pack_info(label).map_err(WireError::from))?;
        Ok(installed.map_or(name, |_| label).to_owned())
    }

    /// The pack of a label `name@version`, else the installed version of its name; `None` where
    /// there is none of that name, or it has no items that are asked here.
    ///
    /// # Errors
    /// When the database or the pack cannot be read.
    pub fn installed_pack(&self, label: &str) -> Result<Option<Pack>, WireError> {
        if_found(self.load_pack(&self.pack_of_label(label)?))
    }

    /// The active pack; `None` where none is.
    ///
    /// # Errors
    /// When the database or the pack cannot be read.
    pub fn active_pack(&self) -> Result<Option<Pack>, WireError> {
        match self.store()?.active_pack()? {
            Some(name) => if_found(self.load_pack(&name)),
            None => Ok(None),
        }
    }

    /// Reads a pack, of any benchmark. What is wrong with its data was told at its import.
    ///
    /// # Errors
    /// When it is not there or cannot be read.
    pub fn load_pack(&self, name: &str) -> Result<Pack, WireError> {
        Ok(self.store()?.any_pack(name)?)
    }

    /// Reads a pack of Ko-AgentBench's tasks, where their tools and responses are wanted.
    ///
    /// # Errors
    /// As [`Self::load_pack`], and when it is of another benchmark.
    pub fn load_task_pack(&self, name: &str) -> Result<Pack, WireError> {
        Ok(self.store()?.pack(name)?.0)
    }
}
