//! State that all requests share.

use crate::headers::Headers;
use crate::sessions::Sessions;
use crate::site::Site;
use crate::uploads::Uploads;
use koab_api::Api;

/// State that all requests share.
pub(crate) struct Shared {
    pub(crate) api: Api,
    pub(crate) site: Site,
    pub(crate) headers: Headers,
    pub(crate) sessions: Sessions,
    pub(crate) uploads: Uploads,
    pub(crate) hosts: [String; 2],
}

impl Shared {
    /// Whether a host name belongs to this server.
    pub(crate) fn is_ours(&self, host: &str) -> bool {
        self.hosts.iter().any(|ours| ours == host)
    }
}
