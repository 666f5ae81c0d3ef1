//! Choice of the next token.
//!
//! Temperature is applied before top-p, as in Hugging Face and vLLM (llama.cpp's own programs do
//! the opposite), so that equal settings have equal effects. A grammar first checks the chosen
//! token, and the whole vocabulary only if it refuses that token. This is a hundred times less
//! work, because a model rarely chooses a token that is not allowed.

use koab_core::say;
use llama_cpp_2::model::LlamaModel;
use llama_cpp_2::sampling::LlamaSampler;
use llama_cpp_2::token::LlamaToken;
use llama_cpp_2::token::data::LlamaTokenData;
use llama_cpp_2::token::data_array::LlamaTokenDataArray;

use super::error::EngineError;
use super::log;
use super::request::Generate;
use crate::grammar::Grammar;

/// Token sampler of one request.
pub(super) struct Sampling {
    /// Random sampler; `None` for greedy sampling.
    random: Option<LlamaSampler>,
    grammar: Option<LlamaSampler>,
    /// Buffer that is reused between tokens.
    candidates: Vec<LlamaTokenData>,
}

impl Sampling {
    pub(super) fn new(request: &Generate, model: &LlamaModel) -> Result<Self, EngineError> {
        let wrong = |name, value: f32, range| EngineError::Sampling { name, value: value.to_string(), range };
        let (temperature, top_p) = (request.temperature, request.top_p);
        if !temperature.is_finite() || temperature < 0.0 {
            return Err(wrong("temperature", temperature, say!("0 or more")));
        }
        if !(top_p > 0.0 && top_p <= 1.0) {
            return Err(wrong("top_p", top_p, say!("above 0 and at most 1")));
        }
        let random = (temperature > 0.0).then(|| {
            let mut chain = vec![LlamaSampler::temp(temperature)];
            if top_p < 1.0 {
                chain.push(LlamaSampler::top_p(top_p, 1));
            }
            chain.push(LlamaSampler::dist(folded(request.seed)));
            LlamaSampler::chain(chain, true)
        });
        let grammar = request.grammar.as_ref().map(|grammar| constraint(grammar, model));
        Ok(Self { random, grammar: grammar.transpose()?, candidates: Vec::new() })
    }

    /// Chooses the next token by its logits, one per token of the vocabulary.
    pub(super) fn choose(&mut self, logits: &[f32]) -> Result<LlamaToken, EngineError> {
        let likeliest = likeliest(logits).ok_or(EngineError::NotANumber)?;
        let mut chosen = match &mut self.random {
            None => token(likeliest),
            Some(random) => draw(random, &mut self.candidates, logits, None)?,
        };
        if let Some(grammar) = &mut self.grammar {
            if !allows(grammar, chosen) {
                chosen = match &mut self.random {
                    Some(random) => draw(random, &mut self.candidates, logits, Some(grammar))?,
                    None => {
                        let allowed = allowed(&mut self.candidates, logits, grammar)?;
                        let best = likeliest_of(&allowed.data);
                        self.candidates = allowed.data;
                        best.ok_or(EngineError::DeadEnd)?
                    }
                };
            }
            grammar.try_accept(chosen).map_err(|error| EngineError::Grammar(error.to_string().into()))?;
        }
        Ok(chosen)
    }
}

/// Folds a seed into the 32 bits of llama.cpp's seeds, whose largest value means a random seed.
fn folded(seed: u64) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "the halves are folded")]
    let folded = (seed ^ (seed >> 32)) as u32;
    if folded == u32::MAX { 0 } else { folded }
}

fn constraint(grammar: &Grammar, model: &LlamaModel) -> Result<LlamaSampler, EngineError> {
    log::forget();
    let Grammar { gbnf, root, lazy_triggers } = grammar;
    let sampler = if lazy_triggers.is_empty() {
        LlamaSampler::grammar(model, gbnf, root)
    } else {
        LlamaSampler::grammar_lazy(model, gbnf, root, lazy_triggers, &[])
    };
    sampler.map_err(|error| EngineError::Grammar(say!("{error} ({})", log::reason())))
}

fn token(id: usize) -> LlamaToken {
    LlamaToken::new(i32::try_from(id).unwrap_or(i32::MAX))
}

/// Index of the largest number; the first of equals. `None` if all are -∞ or NaN.
fn likeliest(logits: &[f32]) -> Option<usize> {
    // The loop has 16 lanes, so the compiler can use SIMD: a vocabulary has 150,000 tokens, and
    // each token waits for this.
    let larger = |left: f32, right: f32| if right > left { right } else { left };
    let mut lanes = [f32::NEG_INFINITY; 16];
    let (wide, rest) = logits.as_chunks::<16>();
    for chunk in wide {
        for (lane, logit) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, *logit);
        }
    }
    let best = lanes.iter().chain(rest).copied().fold(f32::NEG_INFINITY, larger);
    // An exact comparison finds it, because it is one of them.
    let place = logits.iter().position(|logit| logit.total_cmp(&best).is_eq())?;
    (best > f32::NEG_INFINITY).then_some(place)
}

fn likeliest_of(candidates: &[LlamaTokenData]) -> Option<LlamaToken> {
    let logits: Vec<f32> = candidates.iter().map(LlamaTokenData::logit).collect();
    candidates.get(likeliest(&logits)?).map(LlamaTokenData::id)
}

fn allows(grammar: &mut LlamaSampler, chosen: LlamaToken) -> bool {
    let mut one = LlamaTokenDataArray::new(vec![LlamaTokenData::new(chosen, 1.0, 0.0)], false);
    one.apply_sampler(grammar);
    one.data.first().is_some_and(|one| one.logit() > f32::NEG_INFINITY)
}

/// All tokens with their logits, written into the buffer `memory`.
fn all(memory: &mut Vec<LlamaTokenData>, logits: &[f32]) -> LlamaTokenDataArray {
    let mut data = std::mem::take(memory);
    data.clear();
    let tokens = logits.iter().enumerate();
    data.extend(tokens.map(|(id, logit)| LlamaTokenData::new(token(id), *logit, 0.0)));
    LlamaTokenDataArray::new(data, false)
}

fn allowed(
    memory: &mut Vec<LlamaTokenData>,
    logits: &[f32],
    grammar: &mut LlamaSampler,
) -> Result<LlamaTokenDataArray, EngineError> {
    let mut array = all(memory, logits);
    array.apply_sampler(grammar);
    likeliest_of(&array.data).ok_or(EngineError::DeadEnd)?;
    Ok(array)
}

fn draw(
    random: &mut LlamaSampler,
    memory: &mut Vec<LlamaTokenData>,
    logits: &[f32],
    grammar: Option<&mut LlamaSampler>,
) -> Result<LlamaToken, EngineError> {
    let mut array = match grammar {
        None => all(memory, logits),
        Some(grammar) => allowed(memory, logits, grammar)?,
    };
    array.apply_sampler(random);
    let chosen = array.selected_token();
    *memory = array.data;
    chosen.ok_or(EngineError::NotANumber)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equals_wins_and_no_number_never() {
        assert_eq!(likeliest(&[1.0, f32::NAN, 3.0, 3.0]), Some(2));
        assert_eq!(likeliest(&[f32::NAN, f32::NEG_INFINITY]), None);
        let mut many = vec![-1.0; 40];
        many.extend([2.0, f32::INFINITY]);
        assert_eq!(likeliest(&many), Some(41));
        many.truncate(41);
        assert_eq!(likeliest(&many), Some(40));
    }

    #[test]
    fn seeds_are_folded_and_never_the_one_that_means_random() {
        assert_eq!(folded(42), 42);
        assert_ne!(folded(1 << 32), folded(0));
        assert_eq!(folded(u64::from(u32::MAX)), 0);
    }
}
