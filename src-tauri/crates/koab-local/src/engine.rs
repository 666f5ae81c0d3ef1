//! llama.cpp: one loaded model that continues many texts at once.
//!
//! The model, its memory of attention and all computing are on a thread of their own; an [`Engine`]
//! is the way to it. Texts come and go as tokens: what they mean is
//! [`tokenizer`](crate::tokenizer)'s and the chat template's.
//!
//! # One model
//! A process has one model at a time: a second [`Engine::load`] is refused while the first one
//! lives, because two rarely fit into memory, and a run whose model is taken away would be lost.
//! Whoever wants another model drops the first.
//!
//! # The same text again
//! With temperature 0, or with the same seed, the same request gives the same text: the random
//! numbers are the request's own. The logits are sums of floating-point numbers whose order depends
//! on how many tokens are computed at once, so a prompt is always cut at the same places (multiples
//! of a fixed step), is computed apart from other sequences, and only whole steps of it are used
//! again. One conversation at a time therefore gets the same bits on one machine with as many
//! threads, whatever was asked before. Several at once write in one computation, which reads the
//! weights once for all, and is not the same in the last bits: where two tokens are as good as
//! equally likely, the text may differ.

mod backend;
mod bytes;
mod compose;
mod context;
mod device;
mod error;
mod facts;
mod job;
mod lease;
mod load;
mod log;
mod memory;
mod request;
mod sampling;
mod slots;
mod threads;
mod vocabulary;
mod worker;

use koab_core::say;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;
use std::time::Instant;

pub use backend::backend;
pub use bytes::Bytes;
pub use device::{Device, DeviceError};
pub use error::{EngineError, LoadError};
pub use facts::Facts;
pub use load::{LoadSpec, cells};
pub use memory::{available as available_memory, peak_resident, resident};
pub use request::{Answer, Finish, Generate, Generation, Outcome, Token, Usage};
pub use threads::physical_cores;
pub use vocabulary::Vocabulary;

use job::Request;
use lease::Lease;
use load::{Loaded, load, plan};
use request::Ticket;
use worker::Worker;

/// The engine's thread calls into C++, which expects a stack like that of a program's first thread.
const STACK: usize = 8 << 20;

/// A loaded model. Dropping it ends all its generations and frees the memory of attention; the
/// weights go with the last [`Vocabulary`] of it.
#[derive(Debug)]
pub struct Engine {
    inbox: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
    alarm: Arc<AtomicBool>,
    stopping: Arc<AtomicBool>,
    facts: Facts,
    vocabulary: Vocabulary,
}

impl Engine {
    /// Loads a model. Takes seconds to minutes: not for an async thread.
    ///
    /// # Errors
    /// When the file is not a sound model, does not fit, another model is in use, or the device is
    /// not there.
    pub fn load(spec: &LoadSpec) -> Result<Self, LoadError> {
        let lease = Arc::new(Lease::take(&spec.path)?);
        let plan = plan(spec)?;
        let [alarm, stopping] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let (inbox, requests) = mpsc::channel();
        let (ready, loaded) = mpsc::channel();
        let thread = {
            let (spec, alarm, stopping) = (spec.clone(), Arc::clone(&alarm), Arc::clone(&stopping));
            let work = move || {
                let loaded = match load(&spec, &plan, &alarm) {
                    Ok(loaded) => loaded,
                    Err(error) => {
                        let _ = ready.send(Err(error));
                        return;
                    }
                };
                let Loaded { model, facts, .. } = &loaded;
                let _ = ready.send(Ok((Arc::clone(model), facts.clone())));
                drop(ready);
                Worker::new(loaded, alarm, stopping).run(&requests);
            };
            let builder = std::thread::Builder::new().name("model".to_owned()).stack_size(STACK);
            builder.spawn(work).map_err(LoadError::Thread)?
        };
        let (model, facts) = loaded.recv().map_err(|_| LoadError::Refused {
            path: spec.path.clone(),
            reason: say!("it ended without a reason"),
        })??;
        Ok(Self {
            inbox: Some(inbox),
            thread: Some(thread),
            alarm,
            stopping,
            facts,
            vocabulary: Vocabulary { model, _lease: lease },
        })
    }

    /// Continues a text. It waits in order when as many as [`Facts::parallel`] are at work.
    #[must_use]
    pub fn generate(&self, request: Generate) -> Generation {
        let (events, answer) = tokio::sync::mpsc::unbounded_channel();
        let ticket = Arc::new(Ticket::default());
        if let Some(inbox) = &self.inbox {
            // A thread that is gone drops the other end of the answer, which says so.
            let _ = inbox.send(Request {
                generate: request,
                events,
                ticket: Arc::clone(&ticket),
                submitted: Instant::now(),
            });
        }
        Generation { events: answer, ticket, alarm: Arc::clone(&self.alarm), outcome: None, ended: false }
    }

    /// What is known of the model.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The vocabulary in the model's file.
    #[must_use]
    pub fn vocabulary(&self) -> Vocabulary {
        self.vocabulary.clone()
    }

    /// A text as tokens of the file's vocabulary, see [`Vocabulary::tokenize`].
    #[must_use]
    pub fn tokenize(&self, text: &str) -> Vec<u32> {
        self.vocabulary.tokenize(text)
    }

    /// What a token stands for, see [`Vocabulary::piece`].
    #[must_use]
    pub fn piece(&self, id: u32) -> Vec<u8> {
        self.vocabulary.piece(id)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Release);
        self.alarm.store(true, Ordering::Release);
        self.inbox = None;
        if let Some(thread) = self.thread.take() {
            // One that panicked has freed everything on its way.
            let _ = thread.join();
        }
    }
}
