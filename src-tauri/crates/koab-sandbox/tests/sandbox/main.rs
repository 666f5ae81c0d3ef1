//! The scenario executor through its public doors.
mod expansion;
mod hostile;
mod outcomes;
mod recorded_expansion;
mod run_script;
mod scenario_files;
mod subsample;
mod substitution;
mod support;
