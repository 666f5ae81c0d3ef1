//! Files of a leaderboard submission in a bundle. A bundle guarantees only their hashes, not their
//! content.

use koab_bundle::submission::{Files, of_bundle};
use koab_store::bundle_file::{BundleFile, LIMITS};
use std::collections::BTreeMap;
use std::path::Path;

/// Content of the files by file name, relative to `submission/`.
pub type SubmissionFiles = BTreeMap<String, Vec<u8>>;

/// Returns the submission in a bundle, in the layout of a submission folder. `None` if the bundle
/// has no readable submission.
pub(crate) fn submission_in(path: &Path) -> Option<Files> {
    let mut file = BundleFile::open(path, LIMITS).ok()?;
    of_bundle(|name| {
        file.stated(name)?;
        file.read(name, LIMITS.file_bytes).ok()
    })
}
