//! Histories of interrupted runs: starts, workers and merges may each be killed at any write, and
//! the run must still end with the logs of an undisturbed run (`docs/design/runs.md`).
//!
//! A history is a list of events of one run, drawn by proptest. Each event applies to the state
//! that the earlier events left. Every part of a history is therefore a valid history too, and a
//! failing history shrinks to few events. Files, dispatcher, workers and merges are the product's
//! own code. Only the model is scripted, and no two of its answers are equal. The environment
//! variable `KOAB_HISTORIES` sets the number of histories, and `KOAB_TEST_SEED` the seed of the
//! draws.

mod bundle;
mod disk;
mod files;
mod server;
mod world;

use crate::Runs;
use disk::Kill;
use koab_core::level::Level;
use proptest::prelude::*;
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use tempfile::TempDir;
use world::{Changed, Course, End, Happens, Overlap, Shape, Worker, World};

/// Number of histories of each kind in an ordinary test run.
const HISTORIES: u32 = 200;

fn kill() -> impl Strategy<Value = Kill> {
    // A merge has only one or two writes of its own before those of the engine. The first writes
    // are therefore drawn more often.
    let writes = prop_oneof![2 => 0..28u32, 1 => 0..3u32];
    (writes, any::<u16>(), proptest::bool::weighted(0.3)).prop_map(|(writes, cut, power)| Kill {
        writes,
        cut,
        power,
    })
}

fn course() -> impl Strategy<Value = Course> {
    let end = prop_oneof![
        1 => Just(End::ByItself),
        2 => (0..8u8).prop_map(End::Told),
        6 => kill().prop_map(End::Killed),
    ];
    let fails = proptest::option::weighted(0.2, 1..6u8);
    (1..4u8, fails, end, proptest::bool::weighted(0.1), any::<u64>()).prop_map(
        |(concurrency, fails, end, is_slow, order)| Course {
            concurrency,
            fails,
            end,
            is_slow,
            order,
            change: None,
        },
    )
}

/// A start that is changed after a number of answers.
fn changed_start() -> impl Strategy<Value = Happens> {
    let change = prop_oneof![
        2 => (1..5u8).prop_map(Changed::Concurrency),
        2 => (4..30u8).prop_map(Changed::Steps),
        1 => Just(Changed::Cap),
        3 => Just(Changed::Retry),
        1 => Just(Changed::LeaveOut),
    ];
    let fails = proptest::option::weighted(0.6, 1..6u8);
    (course(), fails, 1..8u8, change)
        .prop_map(|(course, fails, after, change)| Course { fails, change: Some((after, change)), ..course })
        .prop_map(Happens::Start)
}

fn start() -> impl Strategy<Value = Happens> {
    course().prop_map(Happens::Start)
}

fn workers() -> impl Strategy<Value = Happens> {
    let worker = (0..3u8, 0..6u8, course()).prop_map(|(part, after, course)| Worker { part, after, course });
    let merge = (0..8u8, proptest::option::weighted(0.5, kill()));
    (proptest::collection::vec(worker, 1..4), proptest::option::weighted(0.4, merge))
        .prop_map(|(workers, merge)| Happens::Workers(workers, merge))
}

fn merge() -> impl Strategy<Value = Happens> {
    proptest::option::weighted(0.6, kill()).prop_map(Happens::Merge)
}

fn damage() -> impl Strategy<Value = Happens> {
    prop_oneof![
        (any::<u16>(), any::<u16>()).prop_map(|(line, bit)| Happens::Damage(line, bit)),
        any::<u16>().prop_map(Happens::Double),
    ]
}

fn shape() -> impl Strategy<Value = Shape> {
    (1..4u8, 1..3u8, 1..4u8).prop_map(|(tasks, repetitions, parts)| Shape { tasks, repetitions, parts })
}

/// Runs histories, and stores the logs of an undisturbed run for each shape.
struct Histories {
    runs: Runs,
    _home: TempDir,
    runtime: tokio::runtime::Runtime,
    undisturbed: RefCell<BTreeMap<Shape, BTreeMap<Level, Value>>>,
}

impl Histories {
    fn new() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Self {
            runs: Runs::at(home.path()),
            _home: home,
            runtime: runtime.expect("a runtime"),
            undisturbed: RefCell::default(),
        }
    }

    fn undisturbed(&self, shape: Shape) -> BTreeMap<Level, Value> {
        if let Some(known) = self.undisturbed.borrow().get(&shape) {
            return known.clone();
        }
        let mut world = World::new(&self.runs, shape, Overlap::Never);
        self.runtime.block_on(world.finish(false));
        assert_eq!(world.server.faults(), Vec::<String>::new(), "undisturbed");
        let logs = world.logs();
        self.undisturbed.borrow_mut().insert(shape, logs.clone());
        logs
    }

    /// Applies the events to a new run, finishes the run, and returns the faults that were found.
    fn faults(&self, shape: Shape, happens: &[Happens], overlap: Overlap, by_parts: bool) -> Vec<String> {
        let mut wanted = self.undisturbed(shape);
        let mut world = World::new(&self.runs, shape, overlap);
        for what in happens {
            self.runtime.block_on(world.happens(what));
            if !world.server.faults().is_empty() {
                return world.server.faults();
            }
        }
        self.runtime.block_on(world.finish(by_parts));
        let mut logs = world.logs();
        if world.leaves_out() {
            // It has as many attempts as had begun.
            logs.remove(&Level::L2);
            wanted.remove(&Level::L2);
        }
        if logs != wanted {
            world.server.fault("its logs are not those of an undisturbed run".to_owned());
        }
        world.server.faults()
    }
}

/// Draws histories and runs them. Panics with the first history that has faults, shrunk as far as
/// possible.
fn hold(happens: impl Strategy<Value = Happens>, overlap: Overlap, by_parts: bool) {
    let mut runner = koab_draws::runner(HISTORIES);
    let (cases, seed) = (runner.config().cases, koab_draws::seed());
    let histories = Histories::new();
    let (made, first) = (Cell::new(0), Cell::new(None));
    let history = (shape(), proptest::collection::vec(happens, 1..5));
    let found = runner.run(&history, |(shape, happens)| {
        made.set(made.get() + 1);
        let faults = histories.faults(shape, &happens, overlap, by_parts);
        if !faults.is_empty() && first.get().is_none() {
            first.set(Some(made.get()));
        }
        prop_assert!(faults.is_empty(), "{faults:#?}");
        Ok(())
    });
    if let Err(error) = found {
        panic!("KOAB_TEST_SEED={seed}, history {} of {cases}: {error}", first.get().unwrap_or_default());
    }
}

/// Histories that these tests found to fail before the product was fixed. The text of each
/// describes the fault at that time.
#[test]
fn histories_that_ended_otherwise_before_end_as_undisturbed_ones() {
    let calm = Course::CALM;
    let killed = |writes| Course { end: End::Killed(Kill { writes, cut: 0, power: false }), ..calm };
    let failing = |fails| Course { fails: Some(fails), ..calm };
    let told = |answers| Course { end: End::Told(answers), ..calm };
    let told_at_once = told(0);
    let workers = |course, merge| {
        let worker = Worker { part: 0, after: 0, course };
        Happens::Workers(vec![worker], merge)
    };
    let worker = |course| workers(course, None);
    let without_power = Course {
        concurrency: 1,
        end: End::Killed(Kill { writes: 7, cut: 13_474, power: true }),
        is_slow: true,
        ..calm
    };
    // The merge is killed after it has copied all lines, and before it records how many it copied.
    let whole_copy = Kill { writes: 0, cut: u16::MAX, power: false };
    let found = [
        (
            "killed before the journal had a line, and merged: the journal began with an attempt",
            vec![Happens::Start(killed(0))],
            true,
        ),
        (
            "all of a level failed and nothing was made again: its log stayed, of attempts that counted no more",
            vec![Happens::Start(failing(1)), Happens::Start(told_at_once)],
            false,
        ),
        (
            "failed here and in a worker: the worker's steps were taken in and the end behind them was not",
            vec![Happens::Start(failing(1)), worker(failing(2))],
            true,
        ),
        (
            "merged, and then a loss of power took from the worker what was merged: its next start asked for it again",
            vec![Happens::Start(told_at_once), workers(without_power, Some((2, None)))],
            true,
        ),
        (
            "merged by two that were killed after copying steps: the second copied what the first had copied",
            vec![
                Happens::Start(told_at_once),
                workers(killed(6), None),
                Happens::Merge(Some(whole_copy)),
                Happens::Merge(Some(whole_copy)),
            ],
            true,
        ),
        (
            "taken in from a worker and failed here: the next worker went on behind the step that the failure has",
            vec![Happens::Start(failing(1)), worker(told(1)), Happens::Start(failing(1))],
            true,
        ),
        (
            "a step here in the place of a worker's that was taken in: the next worker went on behind the worker's",
            vec![
                Happens::Start(failing(1)),
                worker(told(1)),
                Happens::Start(failing(1)),
                Happens::Start(told(1)),
            ],
            true,
        ),
    ];
    let histories = Histories::new();
    let shape = Shape { tasks: 1, repetitions: 1, parts: 1 };
    for (what, happens, by_parts) in found {
        let faults = histories.faults(shape, &happens, Overlap::Never, by_parts);
        assert_eq!(faults, Vec::<String>::new(), "{what}");
    }
}

#[test]
fn a_run_that_is_killed_at_any_write_ends_as_an_undisturbed_one() {
    hold(start(), Overlap::Never, false);
}

#[test]
fn a_run_that_is_changed_and_killed_at_any_write_ends_as_an_undisturbed_one_and_keeps_its_changes() {
    hold(prop_oneof![3 => changed_start(), 1 => start()], Overlap::Never, false);
}

#[test]
fn parts_of_a_changed_run_come_to_an_undisturbed_run() {
    let happens = prop_oneof![3 => changed_start(), 3 => workers(), 2 => merge()];
    hold(happens, Overlap::Never, true);
}

#[test]
fn parts_that_are_merged_at_any_time_come_to_an_undisturbed_run() {
    let happens = prop_oneof![2 => start(), 4 => workers(), 2 => merge()];
    hold(happens, Overlap::Never, true);
}

#[test]
fn starts_of_a_part_that_overlap_come_to_an_undisturbed_run() {
    let happens = prop_oneof![1 => start(), 6 => workers(), 2 => merge()];
    hold(happens, Overlap::Allowed, true);
}

#[test]
fn a_line_that_is_damaged_or_doubled_costs_its_attempt_and_no_more() {
    let happens = prop_oneof![3 => start(), 4 => workers(), 2 => merge(), 3 => damage()];
    hold(happens, Overlap::Never, true);
}
