//! Migrates a database to the format of this version: all missing steps in one transaction.

use crate::error::{Error, Result};
use crate::table;
use koab_core::say;
use rusqlite::Connection;

/// All migration steps, in order. Steps are appended and never changed: their number is the
/// database's format.
const STEPS: &[&str] = &[
    table::pack::CREATE,
    table::document::CREATE,
    table::record::CREATE,
    table::setting::CREATE,
    table::verdict::CREATE,
    table::spending::CREATE,
    table::task_flag::CREATE,
    table::pack::ADD_PROBLEMS,
    table::verdict_failure::CREATE,
    table::verdict_override::CREATE,
    table::report::CREATE,
    table::remark::CREATE_OF_RUNS,
    table::overlay::CREATE,
    table::pack::ADD_RETIRED,
    table::snapshot::CREATE,
    table::snapshot_answer::CREATE,
    table::draft::CREATE,
    table::pack_version::CREATE,
    // No table changes. From here on answers may be compressed, which earlier versions cannot read.
    "",
    table::report::CREATE_OUTCOMES,
    table::judge_queue::CREATE,
];

/// Format of the workspace's database that this version writes.
pub fn workspace_format() -> u32 {
    u32::try_from(STEPS.len()).unwrap_or(u32::MAX)
}

/// Applies the missing steps.
pub(crate) fn migrate(connection: &mut Connection) -> Result<()> {
    apply(connection, STEPS)
}

fn apply(connection: &mut Connection, steps: &[&str]) -> Result<()> {
    let format = format_of(connection)?;
    if format == steps.len() {
        return Ok(());
    }
    if format > steps.len() {
        let newest = steps.len();
        return Err(Error::BadFile(say!(
            "koab.sqlite has format {format} and this version reads up to {newest}; update Ko-AgentBench Desktop"
        )));
    }
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    // Another process may have migrated it while this one waited for the lock.
    let format = format_of(&transaction)?;
    for step in steps.iter().skip(format) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", steps.len() as i64)?;
    transaction.commit()?;
    Ok(())
}

/// Number of steps that a database has had. A negative number is invalid and counts as newer.
fn format_of(connection: &Connection) -> Result<usize> {
    let format: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(usize::try_from(format).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(connection: &Connection) -> Vec<String> {
        let sql =
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name";
        let mut statement = connection.prepare(sql).expect("prepared");
        let names = statement.query_map([], |row| row.get(0)).expect("queried");
        names.collect::<std::result::Result<_, _>>().expect("read")
    }

    #[test]
    fn every_table_is_there_and_a_second_time_changes_nothing() {
        let mut connection = Connection::open_in_memory().expect("opened");
        migrate(&mut connection).expect("migrated");
        migrate(&mut connection).expect("migrated again");
        assert_eq!(
            tables(&connection),
            [
                "document",
                "draft",
                "draft_item",
                "judge_queue",
                "judge_queue_answer",
                "overlay",
                "pack",
                "pack_version",
                "record",
                "report",
                "report_outcomes",
                "report_remark",
                "run_remark",
                "setting",
                "snapshot",
                "snapshot_answer",
                "spending",
                "task_flag",
                "verdict",
                "verdict_failure",
                "verdict_override"
            ]
        );
    }

    #[test]
    fn a_step_that_fails_takes_the_others_back() {
        let mut connection = Connection::open_in_memory().expect("opened");
        apply(&mut connection, &["CREATE TABLE a (x)", "CREATE TABLE a (x)"]).expect_err("the second fails");
        assert!(tables(&connection).is_empty(), "all or nothing");
        apply(&mut connection, &["CREATE TABLE a (x)"]).expect("a later try starts over");
    }

    #[test]
    fn a_newer_database_is_refused_with_a_sentence() {
        let mut connection = Connection::open_in_memory().expect("opened");
        connection.pragma_update(None, "user_version", 99).expect("set");
        let error = migrate(&mut connection).expect_err("newer").to_string();
        let reads = workspace_format();
        assert_eq!(
            error,
            format!(
                "koab.sqlite has format 99 and this version reads up to {reads}; update Ko-AgentBench Desktop"
            )
        );
    }
}
