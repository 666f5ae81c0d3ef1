use super::*;

#[test]
fn the_speed_is_that_of_the_last_seconds_and_falls_when_nothing_comes() {
    let begin = Instant::now();
    let at = |ms: u64| begin + Duration::from_millis(ms);
    let mut meter = Meter::default();
    meter.note_at(at(0), 1_000_000);
    assert_eq!(meter.speed_at(at(100)), None);
    for ms in (250..=10_000).step_by(250) {
        meter.note_at(at(ms), 1_000_000 + ms * 1000);
    }
    assert_eq!(meter.speed_at(at(10_000)), Some(1_000_000.0));
    assert!(meter.speed_at(at(15_000)).is_some_and(|speed| speed < 600_000.0));
    meter.note_at(at(15_000), 0);
    assert_eq!(meter.speed_at(at(15_100)), None);
}
