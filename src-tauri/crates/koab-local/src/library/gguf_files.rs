//! Groups GGUF files into models and finds quantizations, by the names of the files.

use std::collections::BTreeMap;

/// The GGUF files of one model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Path without part numbers and extension.
    pub(super) stem: String,
    /// The files, in order.
    pub(super) files: Vec<String>,
    /// Missing files, according to the part numbers.
    pub(super) missing: Vec<String>,
}

impl Group {
    /// File name of the model: the part of the stem after the last slash.
    pub(super) fn name(&self) -> &str {
        self.stem.rsplit('/').next().unwrap_or_default()
    }
}

/// Groups paths of GGUF files into models. Image projectors and adapters are skipped, because they
/// are not models.
pub(super) fn groups<'a>(paths: impl IntoIterator<Item = &'a str>) -> Vec<Group> {
    let mut groups: BTreeMap<(String, u32), Vec<(u32, String)>> = BTreeMap::new();
    for path in paths {
        let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
        if !name.ends_with(".gguf")
            || name.starts_with("mmproj")
            || name.contains("-lora")
            || name.contains("imatrix")
        {
            continue;
        }
        let (stem, part, count) = numbered(path);
        groups.entry((stem.to_owned(), count)).or_default().push((part, path.to_owned()));
    }
    let group = |((stem, count), mut parts): ((String, u32), Vec<(u32, String)>)| {
        parts.sort();
        let there = |n: u32| parts.iter().any(|(part, _)| *part == n);
        let missing =
            (1..=count).filter(|n| !there(*n)).map(|n| format!("{stem}-{n:05}-of-{count:05}.gguf")).collect();
        Group { missing, files: parts.into_iter().map(|(_, path)| path).collect(), stem }
    };
    groups.into_iter().map(group).collect()
}

/// Splits a path into stem, part number and number of parts: `x-00002-of-00003.gguf` gives `x`, 2
/// and 3. A file without part numbers is part 1 of 1.
fn numbered(path: &str) -> (&str, u32, u32) {
    let stem = &path[..path.len().saturating_sub(".gguf".len())];
    let read = || {
        let (rest, count) = stem.rsplit_once("-of-")?;
        let (rest, part) = rest.rsplit_once('-')?;
        let number = |digits: &str| (digits.len() == 5).then(|| digits.parse::<u32>().ok())?;
        // A name that claims a million parts does not mean a split model.
        let (part, count) = (number(part)?, number(count).filter(|count| *count <= 1000)?);
        (1..=count).contains(&part).then_some((rest, part, count))
    };
    read().unwrap_or((stem, 1, 1))
}

/// Quantization according to the file's name: `Q4_K_M`, `Q8_0`, `F16`.
pub(super) fn quantization(stem: &str) -> Option<String> {
    let name = stem.rsplit('/').next()?.to_uppercase();
    let is_one = |word: &&str| {
        let plain = word.strip_prefix("UD_").unwrap_or(word);
        let digits = |letters: &str| {
            plain.strip_prefix(letters).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        matches!(plain, "F16" | "BF16" | "F32" | "FP16" | "MXFP4")
            || digits("Q")
            || digits("IQ")
            || digits("TQ")
    };
    name.split(['-', '.']).rfind(is_one).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_one_model_and_missing_ones_are_named() {
        let found = groups([
            "q4/big-Q4_K_M-00003-of-00003.gguf",
            "q4/big-Q4_K_M-00001-of-00003.gguf",
            "small-q8_0.gguf",
            "mmproj-F16.gguf",
            "README.md",
        ]);
        let stems: Vec<&str> = found.iter().map(|group| group.stem.as_str()).collect();
        assert_eq!(stems, ["q4/big-Q4_K_M", "small-q8_0"]);
        assert_eq!(found[0].missing, ["q4/big-Q4_K_M-00002-of-00003.gguf"]);
        assert_eq!(found[0].files.len(), 2);
        assert!(found[1].missing.is_empty());
        assert_eq!(numbered("x-00009-of-00003.gguf"), ("x-00009-of-00003", 1, 1));
    }

    #[test]
    fn the_quantization_stands_in_the_name() {
        for (name, said) in [
            ("qwen2.5-7b-instruct-q4_k_m", Some("Q4_K_M")),
            ("Kanana-1.5-8B.Q8_0", Some("Q8_0")),
            ("model-IQ3_XXS", Some("IQ3_XXS")),
            ("folder-Q2/model-bf16", Some("BF16")),
            ("Qwen3-8B", None),
            ("quick", None),
        ] {
            assert_eq!(quantization(name).as_deref(), said, "{name}");
        }
    }
}
