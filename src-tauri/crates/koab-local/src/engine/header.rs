//! The first pages of a GGUF file: what is needed to judge its size before it is loaded.
//!
//! llama.cpp reads the file again and more strictly. This looks first because a model that is too large should be refused
//! before the machine swaps, and because what is not GGUF at all deserves a better sentence.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use super::error::LoadError;

/// What the header tells.
#[derive(Debug, Default)]
pub(super) struct Header {
    integers: HashMap<String, Vec<u64>>,
    texts: HashMap<String, String>,
    /// GGML's number of each tensor's type, with the number of its values.
    pub(super) tensors: Vec<(u32, u64)>,
    /// Bytes of all files of the model.
    pub(super) bytes: u64,
}

/// Longest text that is kept; longer ones (chat templates) are not needed here.
const LONGEST: u64 = 256;

impl Header {
    /// Reads the header and finds the other files of a split model.
    pub(super) fn read(path: &Path) -> Result<Self, LoadError> {
        let unreadable = |source| LoadError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut reader = Reader {
            file: BufReader::with_capacity(1 << 20, file),
            left: length,
        };
        let mut header = reader.header().map_err(|fault| fault.told(path))?;
        header.bytes = length;
        if let Some(count @ 2..) = header.integer("split.count") {
            header.bytes = 0;
            for part in parts(path, count) {
                let Ok(found) = part.metadata() else {
                    return Err(LoadError::PartMissing { part, count });
                };
                header.bytes += found.len();
            }
        }
        Ok(header)
    }

    /// Kind of model, as `general.architecture` names it.
    pub(super) fn architecture(&self) -> &str {
        self.texts.get("general.architecture").map_or("", String::as_str)
    }

    /// Layers; 0 where the file does not tell.
    pub(super) fn layers(&self) -> u32 {
        let layers = self.of_model("block_count", 0);
        layers.and_then(|layers| u32::try_from(layers).ok()).unwrap_or(0)
    }

    fn integer(&self, key: &str) -> Option<u64> {
        self.integers.get(key)?.first().copied()
    }

    /// A number under the architecture's name; per layer when the file has a list.
    fn of_model(&self, key: &str, layer: usize) -> Option<u64> {
        let values = self.integers.get(&format!("{}.{key}", self.architecture()))?;
        values.get(layer).or(values.first()).copied()
    }

    /// The longest context that the model was trained for.
    pub(super) fn context_trained(&self) -> Option<u32> {
        u32::try_from(self.of_model("context_length", 0)?).ok()
    }

    /// Bytes that attention keeps for one token, at 16 bits. Nothing where the file does not tell (models without
    /// attention).
    pub(super) fn kv_bytes_per_token(&self) -> Option<u64> {
        let layers = usize::try_from(self.of_model("block_count", 0)?).ok()?;
        let width = |layer| {
            let heads = self.of_model("attention.head_count", layer)?;
            let pairs = self.of_model("attention.head_count_kv", layer).unwrap_or(heads);
            let size = self
                .of_model("embedding_length", 0)?
                .checked_div(heads)
                .unwrap_or(0);
            let key = self.of_model("attention.key_length", 0).unwrap_or(size);
            let value = self.of_model("attention.value_length", 0).unwrap_or(size);
            pairs.checked_mul(key.checked_add(value)?)
        };
        // A damaged count must not make this loop for hours.
        (0..layers.min(10_000)).try_fold(0_u64, |sum, layer| sum.checked_add(width(layer)?.checked_mul(2)?))
    }
}

/// `name-00001-of-00003.gguf` as all three.
fn parts(path: &Path, count: u64) -> Vec<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let end = format!("-of-{count:05}.gguf");
    match name.strip_suffix(&end).and_then(|name| name.rsplit_once('-')) {
        Some((stem, _)) => (1..=count)
            .map(|part| path.with_file_name(format!("{stem}-{part:05}{end}")))
            .collect(),
        None => vec![path.to_owned()],
    }
}

/// What stopped the reading.
enum Fault {
    Magic([u8; 4]),
    CutOff,
    Damaged(String),
    System(std::io::Error),
}

impl Fault {
    fn told(self, path: &Path) -> LoadError {
        let path = path.to_owned();
        match self {
            Self::Magic(found) => LoadError::NotGguf {
                path,
                found: format!("{:?}", String::from_utf8_lossy(&found)),
            },
            Self::CutOff => LoadError::Truncated {
                path,
                what: "it ends within its own description".to_owned(),
            },
            Self::Damaged(what) => LoadError::Damaged { path, what },
            Self::System(source) => LoadError::Unreadable { path, source },
        }
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::UnexpectedEof => Self::CutOff,
            _ => Self::System(error),
        }
    }
}

/// The file, and how much of it is left: no length in it is believed beyond that.
struct Reader {
    file: BufReader<File>,
    left: u64,
}

impl Reader {
    fn header(&mut self) -> Result<Header, Fault> {
        let magic = self.bytes::<4>()?;
        if &magic != b"GGUF" {
            return Err(Fault::Magic(magic));
        }
        let version = self.u32()?;
        if !(2..=3).contains(&version) {
            return Err(Fault::Damaged(format!(
                "it says that it is GGUF version {version}, and there are 2 and 3"
            )));
        }
        let [tensors, pairs] = [self.u64()?, self.u64()?];
        let mut header = Header::default();
        for _ in 0..pairs {
            let key = self.text()?.unwrap_or_default();
            let kind = self.u32()?;
            self.value(kind, &key, &mut header)?;
        }
        for _ in 0..tensors {
            self.text()?;
            let dimensions = self.u32()?;
            if dimensions > 4 {
                return Err(Fault::Damaged(format!(
                    "a tensor of it has {dimensions} dimensions"
                )));
            }
            let mut values = 1_u64;
            for _ in 0..dimensions {
                values = values.saturating_mul(self.u64()?);
            }
            header.tensors.push((self.u32()?, values));
            self.u64()?;
        }
        Ok(header)
    }

    /// Reads a value and keeps it when it is a short text, an integer, or a list of at most 10,000 integers.
    fn value(&mut self, kind: u32, key: &str, header: &mut Header) -> Result<(), Fault> {
        match kind {
            8 => {
                if let Some(text) = self.text()? {
                    header.texts.insert(key.to_owned(), text);
                }
            }
            9 => {
                let kind = self.u32()?;
                let length = self.u64()?;
                let mut kept = Vec::new();
                for _ in 0..length {
                    match kind {
                        8 => drop(self.text()?),
                        9 => return Err(Fault::Damaged("it has a list of lists".to_owned())),
                        _ => kept.extend(self.scalar(kind)?.filter(|_| length <= 10_000)),
                    }
                }
                if !kept.is_empty() {
                    header.integers.insert(key.to_owned(), kept);
                }
            }
            _ => {
                if let Some(value) = self.scalar(kind)? {
                    header.integers.insert(key.to_owned(), vec![value]);
                }
            }
        }
        Ok(())
    }

    fn scalar(&mut self, kind: u32) -> Result<Option<u64>, Fault> {
        let size = match kind {
            0 | 1 | 7 => 1,
            2 | 3 => 2,
            4..=6 => 4,
            10..=12 => 8,
            _ => {
                return Err(Fault::Damaged(format!(
                    "it has a value of the unknown kind {kind}"
                )));
            }
        };
        let mut bytes = [0; 8];
        self.fill(&mut bytes[..size])?;
        let is_fraction = matches!(kind, 6 | 12);
        Ok((!is_fraction).then_some(u64::from_le_bytes(bytes)))
    }

    /// A text; nothing when it is long.
    fn text(&mut self) -> Result<Option<String>, Fault> {
        let length = self.u64()?;
        if length > self.left {
            return Err(Fault::CutOff);
        }
        if length > LONGEST {
            self.left -= length;
            let far = i64::try_from(length).map_err(|_| Fault::CutOff)?;
            self.file.seek_relative(far)?;
            return Ok(None);
        }
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| Fault::CutOff)?];
        self.fill(&mut bytes)?;
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn u32(&mut self) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.bytes()?))
    }

    fn u64(&mut self) -> Result<u64, Fault> {
        Ok(u64::from_le_bytes(self.bytes()?))
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), Fault> {
        self.file.read_exact(bytes)?;
        self.left = self.left.saturating_sub(bytes.len() as u64);
        Ok(())
    }
}
