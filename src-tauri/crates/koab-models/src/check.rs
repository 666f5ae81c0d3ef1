//! Checks whether models can be called, before work begins that calls them.

use crate::{LocalSettings, LocalUse, ModelAddress, Models, is_local};
use koab_engine::egress::Purpose;
use koab_workspace::WireError;

impl Models {
    /// Checks whether a model can be called.
    ///
    /// # Errors
    /// One sentence with the reason why the model cannot be called.
    pub async fn check_model(&self, id: &str, base_url: Option<&str>) -> Result<(), WireError> {
        let (ids, local) = ([id.to_owned()], LocalSettings::default());
        self.check_models(&ids, base_url, &local, Purpose::Model).await
    }

    /// Checks whether all of these models can be called. `local` are the settings of those that run
    /// inside the application.
    ///
    /// # Errors
    /// One sentence about the first model that cannot be called.
    pub async fn check_models(
        &self,
        ids: &[String],
        base_url: Option<&str>,
        local: &LocalSettings,
        purpose: Purpose,
    ) -> Result<(), WireError> {
        for id in ids {
            let ModelAddress { id, base_url } = &self.resolve(id, base_url)?;
            if is_local(id) {
                // Loading takes seconds and memory, so only the presence of the file is checked.
                self.check_local(id, local).await?;
                continue;
            }
            let opened = self.open(id, base_url.as_deref(), None, &[], LocalUse::default(), purpose).await?;
            opened.model.check().await?;
        }
        Ok(())
    }
}
