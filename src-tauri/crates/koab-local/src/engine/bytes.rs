//! Sizes in sentences.

use std::fmt;

/// A number of bytes, displayed in MB or GB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[expect(clippy::cast_precision_loss, reason = "shown with one digit after the point")]
        let bytes = self.0 as f64;
        if bytes >= 1e9 { write!(f, "{:.1} GB", bytes / 1e9) } else { write!(f, "{:.1} MB", bytes / 1e6) }
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn the_unit_fits_the_size() {
        assert_eq!(Bytes(4_683_073_952).to_string(), "4.7 GB");
        assert_eq!(Bytes(1_300_000).to_string(), "1.3 MB");
    }
}
