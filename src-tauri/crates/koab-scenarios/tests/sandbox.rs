//! The scenario executor through its public doors.
mod expansion;
mod hostile;
mod lint;
mod outcomes;
mod recorded_expansion;
mod remove_missing;
mod run_script;
mod scenario_files;
mod subsample;
mod substitution;
mod support;
mod tabulate_original;
mod tabulate_own;
