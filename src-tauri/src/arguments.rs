//! Command line of the window: `koab-desktop [--home FOLDER] [koab://…]`. Other arguments, which
//! the system may add, are ignored.

use std::ffi::OsString;
use std::path::PathBuf;

/// Parsed arguments.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// Folder of the workspace. `None` means the default folder.
    pub(crate) home: Option<PathBuf>,
    /// Links that the window should open.
    pub(crate) links: Vec<String>,
}

impl Arguments {
    pub(crate) fn parse(mut words: impl Iterator<Item = OsString>) -> Self {
        let mut arguments = Self::default();
        while let Some(word) = words.next() {
            if word == "--home" {
                arguments.home = words.next().filter(|home| !home.is_empty()).map(PathBuf::from);
            } else if let Some(link) = word.to_str().filter(|word| word.starts_with("koab:")) {
                arguments.links.push(link.to_owned());
            }
        }
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workspace_and_links_are_read_and_other_words_are_not() {
        let given = |words: &[&str]| Arguments::parse(words.iter().map(OsString::from));
        assert_eq!(given(&[]), Arguments::default());
        assert_eq!(given(&["-psn_0_1", "--home"]), Arguments::default());
        let both = given(&["--home", "/data/실험 1", "koab://run/a"]);
        assert_eq!(both.home.as_deref(), Some("/data/실험 1".as_ref()));
        assert_eq!(both.links, ["koab://run/a"]);
        assert_eq!(given(&["koab://import"]).links, ["koab://import"]);
    }
}
