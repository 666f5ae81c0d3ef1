use super::*;
use koab_core::level::Level;

/// Programs look counts up by these names, and Markdown has its columns in this order.
#[test]
fn each_count_of_calls_stands_under_its_name() {
    let counts = LevelCalls {
        level: Some(Level::L1),
        hit: 1,
        miss: 2,
        injected: 3,
        refused: 4,
        live: 5,
        overlay: 6,
        attempts: 7,
        touched: 8,
    };
    let names = ["hit", "miss", "injected", "refused", "live", "overlay", "attempts", "touched"];
    assert!(counted(&counts).into_iter().eq(names.into_iter().zip(1..)));
}
