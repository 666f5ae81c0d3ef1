//! The rules, each broken by itself.

mod between;
mod leaderboard;
