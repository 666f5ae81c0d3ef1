//! What transformers computed of a model, and the model written again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use koab_tiny::Shape;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

/// One model's numbers.
pub(crate) struct Fixture {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// The tokens that were read.
    pub(crate) read: Vec<u32>,
    /// Where logits were kept.
    pub(crate) positions: Vec<usize>,
    /// Those logits.
    pub(crate) logits: Vec<Vec<f32>>,
    /// The tokens that followed.
    pub(crate) follow: Vec<u32>,
    files: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Facts {
    read: Vec<u32>,
    positions: Vec<usize>,
    follow: Vec<u32>,
    files: BTreeMap<String, String>,
}

impl Fixture {
    /// Those of all shapes that `koab-tiny` has a name for.
    pub(crate) fn all() -> Vec<Self> {
        Shape::variants().into_iter().map(|(name, shape)| Self::read(name, shape)).collect()
    }

    /// The one of a name.
    pub(crate) fn named(name: &str) -> Self {
        Self::all().into_iter().find(|fixture| fixture.name == name).unwrap()
    }

    fn read(name: &'static str, shape: Shape) -> Self {
        let facts: Facts = serde_json::from_slice(&fs::read(file(name, "json")).unwrap()).unwrap();
        let numbers = fs::read(file(name, "f32")).unwrap();
        let numbers: Vec<f32> = numbers.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
        let logits: Vec<Vec<f32>> = numbers.chunks(shape.vocab as usize).map(<[f32]>::to_vec).collect();
        assert_eq!(logits.len(), facts.positions.len());
        let Facts { read, positions, follow, files } = facts;
        Self { name, shape, read, positions, logits, follow, files }
    }

    /// One of its files.
    pub(crate) fn file(&self, end: &str) -> PathBuf {
        file(self.name, end)
    }

    /// Writes the model.
    pub(crate) fn written(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        koab_tiny::write_shaped(folder.path(), &self.shape).unwrap();
        folder
    }

    /// Writes the model, and sees that it is the one whose numbers these are.
    pub(crate) fn checked(&self) -> TempDir {
        let folder = self.written();
        for (name, hash) in &self.files {
            let bytes = fs::read(folder.path().join(name)).unwrap();
            let ours = hex::encode(Sha256::digest(&bytes));
            assert_eq!(&ours, hash, "{}: {name} is another one; make the fixtures anew", self.name);
        }
        folder
    }
}

fn file(name: &str, end: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/numbers").join(format!("{name}.{end}"))
}
