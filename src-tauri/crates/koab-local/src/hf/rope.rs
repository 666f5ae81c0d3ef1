//! Rotary positions: base and scaling, in both spellings of `config.json`.
//!
//! Up to transformers 4 the base is `rope_theta` and the scaling, if any, `rope_scaling`. From
//! transformers 5 on both are in `rope_parameters`.

use koab_core::say;
use std::f64::consts::TAU;

use serde_json::Map;

use super::json::Fields;
use super::{Architecture, FolderError};

/// Rotary positions of queries and keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rope {
    /// Base of the frequencies.
    pub theta: f64,
    /// Scaling for longer contexts, if any.
    pub scaling: Option<Scaling>,
}

/// Method to stretch positions over a longer context.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scaling {
    /// All frequencies are slowed down alike.
    Linear {
        /// Divisor of the frequencies.
        factor: f64,
    },
    /// Only slow frequencies are slowed down, by Llama 3.1's rule.
    Llama3 {
        /// Divisor of the slow frequencies.
        factor: f64,
        /// Divisor of the original context. Wavelengths longer than the quotient are slowed down
        /// fully.
        low: f64,
        /// Divisor of the original context. Wavelengths shorter than the quotient are unchanged.
        high: f64,
        /// Context in tokens before the scaling.
        original: u64,
    },
    /// Only slow frequencies are slowed down, by `YaRN`'s rule, and attention is made sharper.
    Yarn {
        /// Divisor of the slow frequencies.
        factor: f64,
        /// Context in tokens before the scaling.
        original: u64,
    },
}

impl Rope {
    pub(super) fn read(config: &Fields<'_>, architecture: Architecture) -> Result<Self, FolderError> {
        partial(config)?;
        let (old, new) = (config.object("rope_scaling")?, config.object("rope_parameters")?);
        let (within, object) = match (old, new) {
            (Some(old), Some(new)) if old != new => {
                return Err(config.refused("rope_scaling", say!("rope_parameters says something else")));
            }
            (_, Some(new)) => ("rope_parameters.", new),
            (Some(old), None) => ("rope_scaling.", old),
            (None, None) => ("rope_scaling.", &Map::new()),
        };
        let fields = Fields { within, object };
        partial(&fields)?;
        let (inside, outside) = (fields.number("rope_theta")?, config.number("rope_theta")?);
        if inside.is_some() && outside.is_some() && inside != outside {
            return Err(config.refused("rope_theta", say!("rope_parameters says something else")));
        }
        let theta = inside.or(outside).unwrap_or(10_000.0);
        Ok(Self { theta, scaling: scaling(config, &fields, architecture)? })
    }

    /// Tokens of context. `max_positions` is the setting `max_position_embeddings`, which `YaRN`
    /// may exceed.
    pub(super) fn context(self, max_positions: u64) -> u64 {
        match self.scaling {
            Some(Scaling::Yarn { factor, original }) => max_positions.max((factor * original as f64) as u64),
            _ => max_positions,
        }
    }

    /// Divisor of each frequency of a head, for Llama 3.1's rule, which
    /// llama.cpp does not compute itself. `None` for other rules. The formula is that of
    /// transformers.
    #[must_use]
    pub fn slowdowns(self, head_dim: u64) -> Option<Vec<f32>> {
        let Some(Scaling::Llama3 { factor, low, high, original }) = self.scaling else {
            return None;
        };
        let original = original as f64;
        let slowdown = |pair: u64| {
            let wavelength = TAU * self.theta.powf((2 * pair) as f64 / head_dim as f64);
            if wavelength < original / high {
                1.0
            } else if wavelength > original / low {
                factor
            } else {
                let smooth = (original / wavelength - low) / (high - low);
                1.0 / ((1.0 - smooth) / factor + smooth)
            }
        };
        Some((0..head_dim / 2).map(|pair| slowdown(pair) as f32).collect())
    }
}

fn partial(fields: &Fields<'_>) -> Result<(), FolderError> {
    match fields.number("partial_rotary_factor")? {
        None => Ok(()),
        Some(1.0) => Ok(()),
        Some(_) => {
            let why =
                say!("positions would rotate only a part of each head, which the architecture does not do");
            Err(fields.refused("partial_rotary_factor", why))
        }
    }
}

fn scaling(
    config: &Fields<'_>,
    fields: &Fields<'_>,
    architecture: Architecture,
) -> Result<Option<Scaling>, FolderError> {
    let kind = match (fields.text("rope_type")?, fields.text("type")?) {
        (Some(kind), Some(other)) if kind != other => {
            return Err(fields.refused("rope_type", say!("type says {other}")));
        }
        (kind, other) => kind.or(other).unwrap_or("default"),
    };
    let always = ["rope_type", "type", "rope_theta", "partial_rotary_factor"];
    let allowed: &[&str] = match kind {
        "default" => &[],
        "linear" => &["factor"],
        "llama3" => &["factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"],
        "yarn" => &[
            "factor",
            "original_max_position_embeddings",
            "beta_fast",
            "beta_slow",
            "attention_factor",
            "truncate",
        ],
        _ => return Err(fields.refused("rope_type", say!("positions of that kind are not converted"))),
    };
    for (field, value) in fields.object {
        if !value.is_null() && !always.contains(&field.as_str()) && !allowed.contains(&field.as_str()) {
            return Err(fields.refused(field, say!("positions of the kind {kind} have no such field")));
        }
    }
    let number = |field: &'static str| {
        fields
            .number(field)?
            .ok_or(FolderError::Unsaid { field, what: say!("which its scaling of positions needs") })
    };
    let original = |fallback: Option<u64>| {
        let field = "original_max_position_embeddings";
        let tokens = fields.size(field)?.or(fallback);
        tokens.ok_or(FolderError::Unsaid { field, what: say!("which its scaling of positions needs") })
    };
    Ok(match kind {
        "linear" => Some(Scaling::Linear { factor: number("factor")? }),
        "llama3" if matches!(architecture, Architecture::Qwen2 | Architecture::Qwen3) => {
            return Err(fields.refused("rope_type", say!("llama.cpp does not know it in Qwen models")));
        }
        "llama3" => {
            let (low, high) = (number("low_freq_factor")?, number("high_freq_factor")?);
            if low >= high {
                return Err(
                    fields.refused("low_freq_factor", say!("high_freq_factor is {high}, not above it"))
                );
            }
            Some(Scaling::Llama3 { factor: number("factor")?, low, high, original: original(None)? })
        }
        "yarn" => Some(yarn(fields, number("factor")?, original(config.size("max_position_embeddings")?)?)?),
        _ => None,
    })
}

/// `YaRN` with the constants of its paper, which llama.cpp also uses.
fn yarn(fields: &Fields<'_>, factor: f64, original: u64) -> Result<Scaling, FolderError> {
    let usual = [("beta_fast", 32.0), ("beta_slow", 1.0), ("attention_factor", 0.1 * factor.ln() + 1.0)];
    for (field, usual) in usual {
        if fields.number(field)?.is_some_and(|number| (number - usual).abs() > 1e-6 * usual) {
            return Err(fields.refused(field, say!("YaRN is computed with {usual} here")));
        }
    }
    if factor < 1.0 {
        return Err(fields.refused("factor", say!("YaRN extends the context, by a factor of 1 or more")));
    }
    if fields.flag("truncate")? == Some(false) {
        return Err(fields.refused("truncate", say!("YaRN is computed with rounded bounds here")));
    }
    Ok(Scaling::Yarn { factor, original })
}
