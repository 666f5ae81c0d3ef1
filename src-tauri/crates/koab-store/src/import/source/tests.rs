use super::unstated_manifest;
use crate::table::document::DocumentRow;

/// What `sha256sum` says of these two lines begins so.
const VERSION: &str = "eeb0119553a7";

#[test]
fn a_pack_that_says_nothing_of_itself_has_the_version_of_what_it_holds() {
    let row = |path: &str, sha256: &str| DocumentRow {
        path: path.to_owned(),
        sha256: sha256.to_owned(),
        content: String::new(),
    };
    let of =
        |sha256| unstated_manifest(&[row("tasks/L1.json", "aa"), row("tasks/tools/A.json", sha256)], None);
    let manifest = of("bb");
    assert_eq!((manifest.name.as_str(), manifest.version.as_str()), ("ko-agentbench", VERSION));
    assert_ne!(of("bc").version, VERSION);
}
