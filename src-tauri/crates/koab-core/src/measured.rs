//! A number, or the reason why it is missing.
//!
//! A value that could not be measured is never 0, and never missing without a reason (invariant 7
//! of `docs/ARCHITECTURE.md`).

use crate::sentence::Sentence;
use serde::{Deserialize, Serialize, Serializer};

/// Method that computed the limits of a confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub enum IntervalMethod {
    /// Wilson's score interval of a proportion.
    Wilson,
    /// Percentiles of 10,000 resamples of the tasks.
    Bootstrap,
}

/// A 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Method of the interval.
    pub method: IntervalMethod,
}

/// A number, or the reason why it is missing.
pub type Measured<T = f64> = Result<T, Sentence>;

/// Creates a [`Measured`] from the two fields of its serialized form: value and reason.
pub fn measured(value: Option<f64>, reason: Option<&Sentence>) -> Measured {
    value.ok_or_else(|| reason.cloned().unwrap_or_default())
}

/// Defines the serialized form of a [`Measured`]: two fields, one of them null.
macro_rules! written {
    ($(#[$doc:meta])* $twin:ident { $(#[$of:meta])* $key:ident: $value:ty }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
        pub struct $twin {
            $(#[$of])*
            $key: Option<$value>,
            /// Reason why there is no value.
            #[serde(default)]
            reason: Option<Sentence>,
        }

        impl $twin {
            $(#[$of])*
            pub fn $key(&self) -> Option<$value> {
                self.$key
            }

            /// Reason why there is no value.
            pub fn reason(&self) -> Option<&Sentence> {
                self.reason.as_ref()
            }
        }

        impl From<Measured<$value>> for $twin {
            fn from(measured: Measured<$value>) -> Self {
                match measured {
                    Ok($key) => Self { $key: Some($key), reason: None },
                    // Files of earlier versions and of other programs have no reason.
                    Err(reason) => Self { $key: None, reason: Some(reason).filter(|reason| !reason.is_empty()) },
                }
            }
        }

        impl From<$twin> for Measured<$value> {
            fn from(twin: $twin) -> Self {
                twin.$key.ok_or_else(|| twin.reason.unwrap_or_default())
            }
        }

        impl $twin {
            /// The number, or the reason why it is missing.
            ///
            /// # Errors
            /// The reason why there is no value; an empty sentence if no reason was given.
            pub fn measured(&self) -> Measured<$value> {
                self.clone().into()
            }
        }
    };
}

/// Defines a module for `serialize_with` that writes a field of type [`Measured`] in its serialized
/// form.
macro_rules! written_field {
    ($module:ident: $twin:ident, $value:ty) => {
        #[doc = concat!("Writes a field as [`", stringify!($twin), "`].")]
        pub mod $module {
            use super::*;

            /// Serializes the field.
            ///
            /// # Errors
            /// The errors of the serializer.
            pub fn serialize<S: Serializer>(
                measured: &Measured<$value>,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $twin::from(measured.clone()).serialize(serializer)
            }
        }
    };
}

written! {
    /// A number, or the reason why it is missing.
    Figure {
        /// The number.
        value: f64
    }
}
written! {
    /// The mean of a metric over a level's scored tasks.
    MeanFigure {
        /// The mean.
        mean: f64
    }
}
written! {
    /// A level's score: the plain mean of its own metrics.
    LevelScore {
        /// The score.
        score: f64
    }
}
written! {
    /// A 95 % confidence interval, or the reason why it is missing.
    ScoreRange {
        /// The interval.
        interval: Interval
    }
}
written_field!(figure: Figure, f64);
written_field!(range: ScoreRange, Interval);
