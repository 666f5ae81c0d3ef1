//! Files that every trial's folder contains at the start. A template's file of the same name
//! replaces a starter file.

/// Names and contents of the starter files, in the order of their names.
pub const FILES: [(&str, &str); 4] = [
    ("global_finalize.sh", include_str!("../starter/global_finalize.sh")),
    ("global_init.sh", include_str!("../starter/global_init.sh")),
    ("requirements.txt", ""),
    ("testbed_utils.py", include_str!("../starter/testbed_utils.py")),
];
