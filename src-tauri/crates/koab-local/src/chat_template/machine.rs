//! Renders a template: source and variables in, text or an error out. It handles Jinja and its
//! limits, and knows nothing of conversations.

use super::budget::Budget;
use super::error::TemplateError;
use super::refusal::{refused, words};
use super::{filters, guards, python_text, texts};
use jiff::civil::DateTime;
use koab_core::say;
use minijinja::machinery::{CodeGenerator, eval, make_string_output, parse};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output};
use std::sync::{Arc, Mutex};

/// Name of the template in the engine's error messages.
const NAME: &str = "chat template";

/// Maximum size of a template source. The longest known templates are a tenth of it.
const MAX_SOURCE_BYTES: usize = 256 << 10;

/// Stack size of the thread that renders. The engine handles nested template code recursively.
const STACK_BYTES: usize = 64 << 20;

/// Maximum number of frames. Macros that call themselves walk JSON schemas, which are not that
/// deep.
const MAX_RECURSION: usize = 200;

/// A template whose source was prepared by [`guards::prepare`].
#[derive(Clone, Debug)]
pub(super) struct Machine {
    source: String,
}

/// Inputs of a rendering.
pub(super) struct Input<'a> {
    /// Variables of the template.
    pub(super) variables: &'a serde_json::Map<String, serde_json::Value>,
    /// Size of the conversation and the tools in bytes.
    pub(super) bytes: usize,
    /// Number of messages, which determines the step limit.
    pub(super) messages: usize,
    /// Date and time for `strftime_now`.
    pub(super) now: DateTime,
}

impl Machine {
    /// Checks and prepares a template source.
    pub(super) fn new(source: &str) -> Result<Self, TemplateError> {
        if source.trim().is_empty() {
            return Err(TemplateError::Empty);
        }
        if source.len() > MAX_SOURCE_BYTES {
            return Err(TemplateError::TooMuch {
                what: say!("it is longer than {} KiB", MAX_SOURCE_BYTES >> 10),
            });
        }
        let syntax = syntax().map_err(|error| failed(&error))?;
        let source = guards::prepare(source, &syntax).map_err(|what| TemplateError::TooMuch { what })?;
        on_own_stack(|| parse(&source, NAME, syntax).map(drop).map_err(|error| failed(&error)))?;
        Ok(Self { source })
    }

    /// Renders the template once.
    pub(super) fn render(&self, input: &Input<'_>) -> Result<String, TemplateError> {
        on_own_stack(|| self.run(input))
    }

    fn run(&self, input: &Input<'_>) -> Result<String, TemplateError> {
        let budget = Budget::for_input(input.bytes);
        let refusal = Arc::new(Mutex::new(None));
        let syntax = syntax().map_err(|error| failed(&error))?;
        let parsed = parse(&self.source, NAME, syntax).map_err(|error| failed(&error))?;
        let mut code = CodeGenerator::new(NAME, &self.source);
        code.compile_stmt(&parsed);
        let (program, blocks) = code.finish();
        let program = guards::guarded(&program);
        let blocks = blocks.iter().map(|(name, block)| (*name, guards::guarded(block))).collect();
        let env = environment(&budget, &refusal, input);
        let mut variables = input.variables.clone();
        variables.insert(guards::ONE.to_owned(), 1.into());
        let mut out = String::new();
        let outcome = eval(
            &env,
            &program,
            Value::from(Serde(&variables)),
            &blocks,
            &mut make_string_output(&mut out),
            AutoEscape::None,
        );
        match outcome {
            Ok(_) => Ok(out),
            Err(error) => {
                let message = refusal.lock().ok().and_then(|mut message| message.take());
                Err(match message {
                    Some(said) => TemplateError::Refused { said, line: error.line() },
                    None if error.kind() == ErrorKind::OutOfFuel => TemplateError::TooMuch {
                        what: say!("it takes more steps than any chat template needs"),
                    },
                    None if budget.is_spent() => TemplateError::TooMuch { what: words(&error) },
                    None => failed(&error),
                })
            }
        }
    }
}

/// Whitespace rules of Hugging Face's engine.
fn syntax() -> Result<SyntaxConfig, Error> {
    SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()
}

fn environment<'e>(
    budget: &Budget,
    refusal: &Arc<Mutex<Option<String>>>,
    input: &Input<'_>,
) -> Environment<'e> {
    // The filters are an explicit list; the tests (`is string`) are Jinja's own.
    let mut env = Environment::new();
    for name in UNPRICED {
        env.remove_filter(name);
    }
    env.remove_global("debug");
    // With this, errors name what is undefined.
    env.set_debug(true);
    env.set_recursion_limit(MAX_RECURSION);
    let messages = input.messages as u64;
    env.set_fuel(Some(2_000_000 + input.bytes as u64 + 20 * messages * messages));
    filters::add_filters(&mut env, budget);
    texts::add_texts(&mut env, budget);
    let methods = budget.clone();
    env.set_unknown_method_callback(move |state, value, name, args| {
        texts::method(&methods, state, value, name, args)
    });
    let (message_cell, charged) = (Arc::clone(refusal), budget.clone());
    env.add_function("raise_exception", move |message: Value| -> Result<Value, Error> {
        let message = python_text::to_text(&charged, &message)?;
        if let Ok(mut message_cell) = message_cell.lock() {
            *message_cell = Some(message);
        }
        Err(Error::new(ErrorKind::InvalidOperation, "raise_exception"))
    });
    let now = input.now;
    env.add_function("strftime_now", move |format: &str| -> Result<String, Error> {
        jiff::fmt::strtime::format(format, now).map_err(|error| {
            refused(ErrorKind::InvalidOperation, say!("strftime_now cannot write {format:?}: {error}"))
        })
    });
    let charged = budget.clone();
    env.set_formatter(move |out: &mut Output<'_>, _, value| {
        charged.in_time()?;
        out.write_str(&python_text::to_text(&charged, value)?).map_err(Error::from)
    });
    env
}

/// Filters of the engine that do not charge the budget; most are not part of Jinja.
const UNPRICED: [&str; 9] = ["batch", "slice", "chain", "zip", "pprint", "format", "lines", "split", "bool"];

/// Runs `work` on a thread of its own, whose stack has [`STACK_BYTES`].
fn on_own_stack<T: Send>(work: impl FnOnce() -> Result<T, TemplateError> + Send) -> Result<T, TemplateError> {
    let broken = || TemplateError::Failed { said: say!("the template engine stopped"), line: None };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("chat-template".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|_| broken())?;
        thread.join().unwrap_or_else(|_| Err(broken()))
    })
}

fn failed(error: &Error) -> TemplateError {
    let (kind, line) = (error.kind(), error.line());
    if kind == ErrorKind::SyntaxError {
        let detail = error.detail().map_or_else(|| kind.to_string(), ToOwned::to_owned);
        return TemplateError::Syntax { said: detail, line };
    }
    let sentence = match error.detail() {
        Some(_) => say!("{kind}: {detail}", detail = words(error)),
        None => kind.to_string().into(),
    };
    TemplateError::Failed { said: sentence, line }
}
