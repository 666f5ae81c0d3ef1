//! The tests of scenarios, in containers and without.

mod docker;
mod hostile_trials;
mod native;
mod sandbox;
mod trial_files;
