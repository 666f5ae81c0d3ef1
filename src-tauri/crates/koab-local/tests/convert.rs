//! Conversions: what comes of a folder, and what does not.
#![allow(clippy::unwrap_used)]

mod content;
mod failing;
mod sources;

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use koab_local::convert::{Converted, Precision, Progress, convert};
use koab_local::hf::Folder;
use koab_tiny::{Architecture, Shape};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

fn written(shape: &Shape) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    koab_tiny::write_shaped(folder.path(), shape).unwrap();
    folder
}

fn tiny(architecture: Architecture) -> TempDir {
    written(&Shape::tiny(architecture))
}

fn go_on(_: Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn converted(model: &Path, out: &Path, precision: Precision) -> Converted {
    convert(&Folder::open(model).unwrap(), out, precision, &go_on).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn sha256(file: &Path) -> String {
    hex::encode(Sha256::digest(fs::read(file).unwrap()))
}
