//! Look-up of packs by name, for every area.

use crate::{ErrorCode, WireError, Workspace, if_found};
use koab_core::pack::Pack;
use koab_core::say;

impl Workspace {
    /// The given name, or that of the active pack.
    ///
    /// # Errors
    /// [`ErrorCode::NoPack`] when no name is given and no pack is active.
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

    /// Name that finds the pack of a label `name@version`: the label if that version is installed,
    /// otherwise the bare name.
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

    /// Reads the pack of a label `name@version`, or else the installed version of that name. `None`
    /// when neither is installed, or its items are run only by their authors' own program.
    ///
    /// # Errors
    /// When the database or the pack cannot be read.
    pub fn installed_pack(&self, label: &str) -> Result<Option<Pack>, WireError> {
        if_found(self.load_pack(&self.pack_of_label(label)?))
    }

    /// Reads the active pack. `None` when no pack is active.
    ///
    /// # Errors
    /// When the database or the pack cannot be read.
    pub fn active_pack(&self) -> Result<Option<Pack>, WireError> {
        match self.store()?.active_pack()? {
            Some(name) => if_found(self.load_pack(&name)),
            None => Ok(None),
        }
    }

    /// Reads a pack of any benchmark. Problems of its data were reported at its import.
    ///
    /// # Errors
    /// When it is not installed or cannot be read.
    pub fn load_pack(&self, name: &str) -> Result<Pack, WireError> {
        Ok(self.store()?.any_pack(name)?)
    }

    /// Reads a pack of Ko-AgentBench tasks, with its tools.
    ///
    /// # Errors
    /// See [`Self::load_pack`]. Also when it is a pack of another benchmark.
    pub fn load_task_pack(&self, name: &str) -> Result<Pack, WireError> {
        Ok(self.store()?.pack(name)?.0)
    }
}
