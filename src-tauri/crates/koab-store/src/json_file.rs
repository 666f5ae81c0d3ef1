//! JSON files of runs, which other people may have made.

use crate::error::{Error, Result};
use crate::import::roots::open_regular;
use koab_core::say;
use serde::de::DeserializeOwned;
use std::io;
use std::path::Path;

fn read(path: &Path) -> Result<Vec<u8>> {
    read_regular(path).map_err(|error| Error::io("read", path, &error))
}

/// Reads only regular files: a run may come from other people, and a pipe or a device has no end.
fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    io::Read::read_to_end(&mut open_regular(path)?, &mut content)?;
    Ok(content)
}

pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T> {
    serde_json::from_slice(&read(path)?).map_err(|error| no_json(path, &error))
}

fn no_json(path: &Path, error: &serde_json::Error) -> Error {
    let path = path.display();
    Error::BadFile(if error.is_data() {
        say!("{path} is not a file that this version can read: {error}")
    } else {
        say!("{path} is not JSON ({error}); it may have been cut off")
    })
}
