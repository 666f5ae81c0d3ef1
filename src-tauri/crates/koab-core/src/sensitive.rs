//! Values that must not be shown: keys, tokens, passwords.
//!
//! A [`Sensitive`] value can be cloned and passed on, and prints as dots. It cannot be serialized,
//! so it cannot reach a log, a report or the window by accident. Its memory is not overwritten when
//! it is freed.

use std::fmt;

const MASK: &str = "••••";

/// A value that prints as dots and cannot be serialized.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Sensitive<T>(T);

impl<T> Sensitive<T> {
    /// Protects a value.
    pub fn new(value: T) -> Self {
        Sensitive(value)
    }

    /// The value itself, for the code that has to send it.
    pub fn expose(&self) -> &T {
        &self.0
    }

    /// Returns the value itself and consumes the wrapper.
    pub fn into_exposed(self) -> T {
        self.0
    }
}

impl<T> From<T> for Sensitive<T> {
    fn from(value: T) -> Self {
        Sensitive(value)
    }
}

impl<T> fmt::Debug for Sensitive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl<T> fmt::Display for Sensitive<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sensitive_value_never_shows_itself() {
        let key = Sensitive::new("sk-secret".to_owned());
        let nested = Some(vec![key.clone()]);
        for shown in [format!("{key}"), format!("{key:?}"), format!("{key:#?}"), format!("{nested:?}")] {
            assert!(!shown.contains("secret") && shown.contains(MASK), "{shown}");
        }
        assert_eq!(key.expose(), "sk-secret");
        assert_eq!(key.into_exposed(), "sk-secret");
    }
}
