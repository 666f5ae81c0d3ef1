//! What the program is started with: `koab-desktop [--home FOLDER] [koab://…]`. The system adds
//! words of its own, which mean nothing here.

use std::ffi::OsString;
use std::path::PathBuf;

/// What was given for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// The workspace; without it, the one that every start finds by itself.
    pub(crate) home: Option<PathBuf>,
    /// Links into the product.
    pub(crate) links: Vec<String>,
}

impl Arguments {
    pub(crate) fn parse(mut words: impl Iterator<Item = OsString>) -> Self {
        let mut given = Self::default();
        while let Some(word) = words.next() {
            if word == "--home" {
                given.home = words.next().filter(|home| !home.is_empty()).map(PathBuf::from);
            } else if let Some(link) = word.to_str().filter(|word| word.starts_with("koab:")) {
                given.links.push(link.to_owned());
            }
        }
        given
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
