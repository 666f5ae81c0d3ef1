//! Memory comes back.

use koab_local::engine::resident;

use super::{answer, engine, prompt, request};

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_dropped_engine_gives_its_memory_back() {
    const MIB: u64 = 1 << 20;
    // What llama.cpp and the allocator keep for good comes with the first one.
    let first = engine(1, 256);
    answer(&first, request(prompt(1, 50), 5)).await;
    drop(first.engine);
    let before = resident().unwrap();
    let large = koab_local::engine::Engine::load(&super::spec(8, 16_384)).unwrap();
    answer(&large, request(prompt(1, 50), 5)).await;
    let kv = large.facts().kv_bytes.unwrap();
    assert_eq!(kv, 128 * MIB);
    let during = resident().unwrap();
    assert!(during > before + kv, "{before} {during}");
    drop(large);
    let after = resident().unwrap();
    assert!(after < before + kv / 8, "{before} {during} {after}");
    drop(first._turn);
}
