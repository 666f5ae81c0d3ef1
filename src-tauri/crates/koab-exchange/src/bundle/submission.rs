//! Files for a leaderboard in a bundle: opaque here, held to their hashes, and handed to whoever
//! knows what they say.

use koab_bundle::submission::{Files, of_bundle};
use koab_store::bundle_file::{BundleFile, LIMITS};
use std::collections::BTreeMap;
use std::path::Path;

/// Files below `submission/`, by what their name is there.
pub type SubmissionFiles = BTreeMap<String, Vec<u8>>;

/// The submission in a bundle, in the layout that it would have in a folder; `None` when there is
/// none that can be read.
pub(crate) fn submission_in(path: &Path) -> Option<Files> {
    let mut file = BundleFile::open(path, LIMITS).ok()?;
    of_bundle(|name| {
        file.stated(name)?;
        file.read(name, LIMITS.file_bytes).ok()
    })
}
