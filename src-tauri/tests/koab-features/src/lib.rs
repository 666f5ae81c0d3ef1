//! Nothing: this package is its manifest. Nothing that ships names it.
