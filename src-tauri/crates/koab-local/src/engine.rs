//! llama.cpp: one loaded model that continues several texts at once.
//!
//! The model, its attention memory (KV cache) and all computation are on a thread of their own; an
//! [`Engine`] is the handle to it. Input and output are tokens; their meaning is up to
//! [`tokenizer`](crate::tokenizer) and the chat template.
//!
//! # One model
//! A process has one model at a time. A second [`Engine::load`] is refused while the first engine
//! lives, because two models rarely fit into memory, and a run whose model is taken away would be
//! lost. To load another model, drop the first.
//!
//! # Repeatability
//! With temperature 0, or with the same seed, the same request gives the same text: each request
//! has its own random numbers. The logits are sums of floating-point numbers whose order depends on
//! how many tokens are computed at once. Therefore a prompt is always cut at the same places
//! (multiples of a fixed step), it is computed apart from other sequences, and only whole steps are
//! reused. One conversation at a time gets the same bits on one machine with the same number of
//! threads, regardless of earlier requests. Several conversations at once generate in one
//! computation, which reads the weights once for all. The last bits may then differ, and so may the
//! text where two tokens are almost equally likely.

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

/// Stack size of the engine's thread. It calls C++ code, which expects a stack like that of a
/// program's first thread.
const STACK_BYTES: usize = 8 << 20;

/// A loaded model. Dropping it ends all its generations and frees its attention memory. The weights
/// are freed with the last [`Vocabulary`] of the model.
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
    /// Loads a model. This takes seconds to minutes, so it must not run on an async thread.
    ///
    /// # Errors
    /// When the file is not a sound model, the model does not fit into memory, another model is in
    /// use, or the device is not available.
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
            let builder = std::thread::Builder::new().name("model".to_owned()).stack_size(STACK_BYTES);
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

    /// Continues a text. The request waits in order while [`Facts::parallel`] others are being
    /// computed.
    #[must_use]
    pub fn generate(&self, request: Generate) -> Generation {
        let (events, answer) = tokio::sync::mpsc::unbounded_channel();
        let ticket = Arc::new(Ticket::default());
        if let Some(inbox) = &self.inbox {
            // If the thread has ended, the other end of the answer is dropped, which reports it.
            let _ = inbox.send(Request {
                generate: request,
                events,
                ticket: Arc::clone(&ticket),
                submitted: Instant::now(),
            });
        }
        Generation { events: answer, ticket, alarm: Arc::clone(&self.alarm), outcome: None, ended: false }
    }

    /// Facts of the loaded model.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The vocabulary in the model's file.
    #[must_use]
    pub fn vocabulary(&self) -> Vocabulary {
        self.vocabulary.clone()
    }

    /// Tokens of a text in the file's vocabulary, see [`Vocabulary::tokenize`].
    #[must_use]
    pub fn tokenize(&self, text: &str) -> Vec<u32> {
        self.vocabulary.tokenize(text)
    }

    /// Text of a token as bytes, see [`Vocabulary::piece`].
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
            // A thread that panicked has freed everything while unwinding.
            let _ = thread.join();
        }
    }
}
