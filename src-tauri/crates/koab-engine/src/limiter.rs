//! Limits the calls in flight to one server with one key.
//!
//! One [`Limiter`] is shared by all callers of a server: the attempts of a run, other runs, judges.
//! The limit adapts: it is halved when the server asks for fewer calls, and raised by one after
//! every successful round. A wait that the server asks for stops all calls. `retry` decides how
//! often a single call is repeated.

use koab_core::say;
use koab_core::sentence::Sentence;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep};

/// An adaptive limit on the calls in flight to one server.
#[derive(Debug)]
pub struct Limiter {
    places: Arc<Semaphore>,
    state: Mutex<LimiterState>,
    /// Notifies calls that wait for a time which the server named, when they need not wait any
    /// more.
    renewed: Notify,
}

#[derive(Debug)]
struct LimiterState {
    limit: usize,
    ceiling: usize,
    /// Number of places to remove as soon as calls in flight return them.
    debt: usize,
    /// Number of successful calls since the limit last changed.
    good: usize,
    halved: Option<Instant>,
    pause: Option<Pause>,
    resting: usize,
}

#[derive(Clone, Debug)]
struct Pause {
    until: Instant,
    why: Sentence,
}

/// A place among the calls in flight. Dropping it returns the place.
#[derive(Debug)]
pub struct CallSlot<'a> {
    limiter: &'a Limiter,
    permit: Option<OwnedSemaphorePermit>,
    since: Instant,
}

/// Marks an attempt as waiting for a retry. An attempt with this mark needs no place.
#[derive(Debug)]
pub struct RetryWait<'a>(&'a Limiter);

impl Limiter {
    /// Creates a limiter that allows `start` calls in flight, and never more than `ceiling`. Both
    /// are 1 or more.
    pub fn new(start: u32, ceiling: u32) -> Self {
        let limit = start.max(1) as usize;
        Self {
            places: Arc::new(Semaphore::new(limit)),
            state: Mutex::new(LimiterState {
                limit,
                ceiling: limit.max(ceiling as usize),
                debt: 0,
                good: 0,
                halved: None,
                pause: None,
                resting: 0,
            }),
            renewed: Notify::new(),
        }
    }

    /// Raises the limits for a further user, who would begin with `start` calls in flight and never
    /// have more than `ceiling`. A limit that was halved because of the server stays halved.
    pub fn allow(&self, start: u32, ceiling: u32) {
        let mut state = self.state();
        state.ceiling = state.ceiling.max(start.max(ceiling) as usize);
        if state.halved.is_none() && state.limit < start as usize {
            let more = start as usize - state.limit;
            self.widen(&mut state, more);
        }
    }

    /// Sets the maximum number of calls in flight (1 or more), because the user changed it. A limit
    /// that was halved because of the server is not raised.
    pub fn set(&self, ceiling: u32) {
        let mut state = self.state();
        let ceiling = ceiling.max(1) as usize;
        state.ceiling = ceiling;
        if state.limit > ceiling {
            let fewer = state.limit - ceiling;
            self.narrow(&mut state, fewer);
        } else if state.halved.is_none() {
            let more = ceiling - state.limit;
            self.widen(&mut state, more);
        }
    }

    /// Forgets what the server asked for, since later calls are sent to another server.
    pub fn renew(&self) {
        let mut state = self.state();
        (state.halved, state.pause, state.good) = (None, None, 0);
        drop(state);
        self.renewed.notify_waiters();
    }

    /// Completes at the next [`Limiter::renew`].
    pub async fn renewed(&self) {
        self.renewed.notified().await;
    }

    /// Current maximum number of calls in flight.
    pub fn limit(&self) -> usize {
        self.state().limit
    }

    /// Whether a further attempt would find a place while `begun` attempts are in flight. Attempts
    /// that wait for a retry do not count.
    pub fn has_room(&self, begun: usize) -> bool {
        let state = self.state();
        let paused = state.pause.as_ref().is_some_and(|pause| pause.until > Instant::now());
        !paused && begun.saturating_sub(state.resting) < state.limit
    }

    /// Waits for a place. Before every wait it runs `waiting` with the reason, and with the length
    /// of the wait if that is known.
    pub async fn enter(&self, waiting: &(impl Fn(&Sentence, Option<Duration>) + Sync)) -> CallSlot<'_> {
        loop {
            let renewed = self.renewed.notified();
            tokio::pin!(renewed);
            // From here on no notification is missed.
            renewed.as_mut().enable();
            if let Some(pause) = self.pause() {
                let remaining = pause.until.saturating_duration_since(Instant::now());
                waiting(&pause.why, Some(remaining));
                let _rest = self.rest();
                tokio::select! {
                    () = sleep(remaining) => {}
                    () = renewed => {}
                }
                continue;
            }
            let places = Arc::clone(&self.places);
            let permit = match Arc::clone(&places).try_acquire_owned() {
                Ok(permit) => Ok(permit),
                Err(_) => {
                    let limit = self.limit();
                    waiting(&say!("the limit of calls in flight to this server is reached ({limit})"), None);
                    places.acquire_owned().await
                }
            };
            let place = CallSlot {
                limiter: self,
                // The semaphore is never closed; without a permit the call would be sent all the
                // same.
                permit: permit.ok(),
                since: Instant::now(),
            };
            // A pause may have begun while this call waited.
            if self.pause().is_none() {
                return place;
            }
        }
    }

    /// Marks an attempt as waiting for a retry, until the returned mark is dropped. Meanwhile the
    /// attempt does not count in [`Self::has_room`].
    pub fn rest(&self) -> RetryWait<'_> {
        self.state().resting += 1;
        RetryWait(self)
    }

    fn pause(&self) -> Option<Pause> {
        let mut state = self.state();
        if state.pause.as_ref().is_some_and(|pause| pause.until <= Instant::now()) {
            state.pause = None;
        }
        state.pause.clone()
    }

    fn widen(&self, state: &mut LimiterState, more: usize) {
        state.limit += more;
        let paid = more.min(state.debt);
        state.debt -= paid;
        self.places.add_permits(more - paid);
    }

    fn narrow(&self, state: &mut LimiterState, fewer: usize) {
        state.limit -= fewer;
        let permits = self.places.forget_permits(fewer);
        state.debt += fewer - permits;
    }

    fn state(&self) -> MutexGuard<'_, LimiterState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallSlot<'_> {
    /// Whether a call that has a place may still be sent. In the meantime the server may have asked
    /// for fewer calls or for a pause.
    pub fn may_go_out(&self) -> bool {
        let state = self.limiter.state();
        let pause = state.pause.as_ref();
        state.debt == 0 && pause.is_none_or(|pause| pause.until <= Instant::now())
    }

    /// Records a successful call. After as many successful calls as there are places, one place is
    /// added.
    pub fn succeeded(&self) {
        let mut state = self.limiter.state();
        state.good += 1;
        if state.good >= state.limit && state.limit < state.ceiling {
            state.good = 0;
            self.limiter.widen(&mut state, 1);
        }
    }

    /// Records that the server asked for fewer calls: halves the limit, and pauses all calls for
    /// the wait that it asked for.
    pub fn slow_down(&self, wait: Option<Duration>, why: &Sentence) {
        let mut state = self.limiter.state();
        state.good = 0;
        // Calls that were in flight together are refused together, so the limit is halved only
        // once.
        if state.halved.is_none_or(|halved| self.since > halved) {
            state.halved = Some(Instant::now());
            let fewer = state.limit - (state.limit / 2).max(1);
            self.limiter.narrow(&mut state, fewer);
        }
        if let Some(wait) = wait.filter(|wait| !wait.is_zero()) {
            let until = Instant::now() + wait;
            if state.pause.as_ref().is_none_or(|pause| pause.until < until) {
                let why = say!("all calls to this server wait: {why}");
                state.pause = Some(Pause { until, why });
            }
        }
    }
}

impl Drop for CallSlot<'_> {
    fn drop(&mut self) {
        let mut state = self.limiter.state();
        if state.debt > 0
            && let Some(permit) = self.permit.take()
        {
            state.debt -= 1;
            permit.forget();
        }
    }
}

impl Drop for RetryWait<'_> {
    fn drop(&mut self) {
        self.0.state().resting -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quiet(_: &Sentence, _: Option<Duration>) {}

    #[tokio::test(start_paused = true)]
    async fn it_halves_once_a_lesson_and_creeps_up_again() {
        let limiter = Limiter::new(8, 9);
        let places = [(); 8].map(|()| limiter.enter(&quiet));
        let mut held = Vec::new();
        for place in places {
            held.push(place.await);
        }
        tokio::time::advance(Duration::from_secs(1)).await;
        held[0].slow_down(None, &"429".into());
        held[1].slow_down(None, &"429".into());
        assert_eq!(limiter.limit(), 4, "both were in flight together");
        held.truncate(5);
        assert!(!limiter.has_room(5), "four of the eight places are gone");
        assert_eq!(limiter.places.available_permits(), 0);
        held.clear();
        assert_eq!(limiter.places.available_permits(), 4);
        for expected in [4, 4, 4, 5, 5, 5, 5, 5, 6] {
            limiter.enter(&quiet).await.succeeded();
            assert_eq!(limiter.limit(), expected);
        }
        for _ in 0..99 {
            limiter.enter(&quiet).await.succeeded();
        }
        assert_eq!(limiter.limit(), 9, "the ceiling holds");
        for _ in 0..9 {
            let place = limiter.enter(&quiet).await;
            tokio::time::advance(Duration::from_secs(1)).await;
            let place = {
                drop(place);
                limiter.enter(&quiet).await
            };
            place.slow_down(None, &"429".into());
        }
        assert_eq!(limiter.limit(), 1, "one call is always allowed");
    }

    #[tokio::test(start_paused = true)]
    async fn a_time_the_server_names_stops_everybody_until_then() {
        let limiter = Limiter::new(4, 4);
        let begun = Instant::now();
        let place = limiter.enter(&quiet).await;
        place.slow_down(Some(Duration::from_secs(30)), &"HTTP 429".into());
        drop(place);
        assert!(!limiter.has_room(0));
        let told = Mutex::new(Vec::new());
        let tell = |why: &Sentence, wait: Option<Duration>| {
            told.lock().unwrap().push((why.to_owned(), wait.map(|w| w.as_secs())));
        };
        let (_one, _other) = tokio::join!(limiter.enter(&tell), limiter.enter(&tell));
        assert_eq!(begun.elapsed().as_secs(), 30);
        let why = say!("all calls to this server wait: {why}", why = Sentence::from("HTTP 429"));
        // Two places are left, so nobody stands in line as well.
        assert_eq!(*told.lock().unwrap(), [(why.clone(), Some(30)), (why, Some(30))]);
        assert!(limiter.has_room(1));
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_finds_no_place_says_so_and_waits_for_one() {
        let limiter = Limiter::new(1, 1);
        let first = limiter.enter(&quiet).await;
        let told = Mutex::new(Vec::new());
        let tell = |why: &Sentence, wait| told.lock().unwrap().push((why.to_owned(), wait));
        let later = async {
            sleep(Duration::from_secs(5)).await;
            drop(first);
        };
        let (_second, ()) = tokio::join!(limiter.enter(&tell), later);
        let said = say!("the limit of calls in flight to this server is reached ({limit})", limit = 1);
        assert_eq!(*told.lock().unwrap(), [(said, None)]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_user_s_number_holds_at_once_but_does_not_overrule_the_server() {
        let limiter = Limiter::new(8, 32);
        let held = limiter.enter(&quiet).await;
        limiter.set(2);
        assert_eq!((limiter.limit(), limiter.places.available_permits()), (2, 1));
        drop(held);
        for _ in 0..99 {
            limiter.enter(&quiet).await.succeeded();
        }
        assert_eq!(limiter.limit(), 2, "the ceiling holds");
        limiter.set(12);
        assert_eq!((limiter.limit(), limiter.places.available_permits()), (12, 12));
        tokio::time::advance(Duration::from_secs(1)).await;
        limiter.enter(&quiet).await.slow_down(None, &"429".into());
        limiter.set(16);
        assert_eq!(limiter.limit(), 6, "it was told off before");
        limiter.renew();
        limiter.set(16);
        assert_eq!(limiter.limit(), 16, "by another server");
    }

    #[tokio::test(start_paused = true)]
    async fn a_time_that_another_server_named_ends_with_it() {
        let limiter = Limiter::new(2, 2);
        let begun = Instant::now();
        let place = limiter.enter(&quiet).await;
        place.slow_down(Some(Duration::from_secs(600)), &"HTTP 429".into());
        drop(place);
        let moved = async {
            sleep(Duration::from_secs(5)).await;
            limiter.renew();
        };
        let (_place, ()) = tokio::join!(limiter.enter(&quiet), moved);
        assert_eq!(begun.elapsed().as_secs(), 5);
    }

    #[test]
    fn a_later_user_may_widen_but_not_overrule_the_server() {
        let limiter = Limiter::new(2, 4);
        limiter.allow(8, 8);
        assert_eq!((limiter.limit(), limiter.places.available_permits()), (8, 8));
        limiter.allow(1, 1);
        assert_eq!(limiter.limit(), 8);
        limiter.state().halved = Some(Instant::now());
        limiter.allow(16, 16);
        assert_eq!(limiter.limit(), 8, "it was told off before");
    }
}
