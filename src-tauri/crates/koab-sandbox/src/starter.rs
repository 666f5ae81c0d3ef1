//! The files every trial's folder begins with. A template that brings a file of the same name
//! replaces it.

/// The starter files' names and contents, in the order of their names.
pub const FILES: [(&str, &str); 4] = [
    ("global_finalize.sh", include_str!("../starter/global_finalize.sh")),
    ("global_init.sh", include_str!("../starter/global_init.sh")),
    ("requirements.txt", ""),
    ("testbed_utils.py", include_str!("../starter/testbed_utils.py")),
];
