//! What every request can reach.

use crate::headers::Headers;
use crate::sessions::Sessions;
use crate::site::Site;
use crate::uploads::Uploads;
use koab_api::Api;

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) api: Api,
    pub(crate) site: Site,
    pub(crate) headers: Headers,
    pub(crate) sessions: Sessions,
    pub(crate) uploads: Uploads,
    pub(crate) hosts: [String; 2],
}

impl Shared {
    /// Whether a request for this host is one for us.
    pub(crate) fn is_ours(&self, host: &str) -> bool {
        self.hosts.iter().any(|ours| ours == host)
    }
}
