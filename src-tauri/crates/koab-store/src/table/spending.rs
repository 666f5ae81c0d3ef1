//! Table of spending: the amounts that each run has spent and reserved, by day.

use crate::error::Result;
use rusqlite::{Connection, params};

pub(crate) const CREATE: &str = "
    CREATE TABLE spending (
        day          TEXT NOT NULL,
        run          TEXT NOT NULL,
        spent_cost   REAL NOT NULL DEFAULT 0,
        spent_tokens INTEGER NOT NULL DEFAULT 0,
        held_cost    REAL NOT NULL DEFAULT 0,
        held_tokens  INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (day, run)
    ) WITHOUT ROWID;
";

/// Maximum of a sum of tokens. A larger sum could exceed the database's integers and become a
/// float.
pub(crate) const MAX_TOKENS: i64 = 1 << 52;

/// Amount in USD and tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sum {
    pub(crate) cost: f64,
    pub(crate) tokens: i64,
}

/// Amount spent and reserved on a day by all runs.
pub(crate) fn sum(connection: &Connection, day: &str) -> Result<Sum> {
    let sql =
        "SELECT total(spent_cost + held_cost), CAST(min(?2, total(spent_tokens + held_tokens)) AS INTEGER)
               FROM spending WHERE day = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement
        .query_row(params![day, MAX_TOKENS], |row| Ok(Sum { cost: row.get(0)?, tokens: row.get(1)? }))?)
}

pub(crate) fn hold(connection: &Connection, day: &str, run: &str, most: Sum) -> Result<()> {
    let sql = "INSERT INTO spending (day, run, held_cost, held_tokens) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET held_cost = held_cost + ?3, held_tokens = min(?5, held_tokens + ?4)";
    let mut statement = connection.prepare_cached(sql)?;
    statement.execute(params![day, run, most.cost, most.tokens, MAX_TOKENS])?;
    Ok(())
}

/// Turns a reservation into spending. The reserved amount never falls below 0: a call that began
/// before midnight was reserved on the previous day.
pub(crate) fn settle(connection: &Connection, day: &str, run: &str, held: Sum, spent: Sum) -> Result<()> {
    let sql = "INSERT INTO spending (day, run, spent_cost, spent_tokens) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET
                   spent_cost = spent_cost + ?3, spent_tokens = min(?7, spent_tokens + ?4),
                   held_tokens = max(0, held_tokens - ?6),
                   held_cost = CASE WHEN held_tokens <= ?6 THEN 0 ELSE max(0, held_cost - ?5) END";
    connection.prepare_cached(sql)?.execute(params![
        day,
        run,
        spent.cost,
        spent.tokens,
        held.cost,
        held.tokens,
        MAX_TOKENS
    ])?;
    Ok(())
}

/// Counts the reserved amount of a run as spent.
pub(crate) fn spend_held(connection: &Connection, run: &str) -> Result<()> {
    connection.execute(
        "UPDATE spending SET spent_cost = spent_cost + held_cost, spent_tokens = min(?2, spent_tokens + held_tokens),
                             held_cost = 0, held_tokens = 0
         WHERE run = ?1 AND held_tokens > 0",
        params![run, MAX_TOKENS],
    )?;
    Ok(())
}
