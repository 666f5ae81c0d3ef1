use super::*;
use crate::chance;
use koab_core::split_mix::SplitMix;
use serde_json::Value;

const FIXTURE: &str = include_str!("../../tests/ppi/means.json");

fn near(one: f64, other: &Value) -> bool {
    (one - other.as_f64().unwrap()).abs() < 1e-12
}

#[test]
fn means_and_intervals_are_those_of_ppi_py() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    for case in fixture["cases"].as_array().unwrap() {
        let column =
            |name: &str| case[name].as_array().unwrap().iter().map(Value::as_f64).collect::<Vec<_>>();
        let (judged, human, probability) = (column("judged"), column("human"), column("probability"));
        let item = |at: usize| PpiItem {
            judged: judged[at].unwrap(),
            human: human[at],
            probability: probability[at].unwrap(),
        };
        let items: Vec<PpiItem> = (0..judged.len()).map(item).collect();
        let found = estimate(&items, 0.05).unwrap();
        for (ours, theirs) in [(found.corrected, "corrected"), (found.human, "human_only")] {
            assert!(
                near(ours.low, &case[theirs][0]) && near(ours.high, &case[theirs][1]),
                "{}: {ours:?} for {}",
                case["name"],
                case[theirs]
            );
        }
    }
}

#[test]
fn intervals_hold_what_people_would_have_said_although_the_judge_is_biased() {
    const DRAWS: usize = 1000;
    let found = simulation::simulate(DRAWS, 11).unwrap();
    println!("PPI: {found:?}");
    assert!(found.covered >= 930, "{found:?}");
    assert!(found.covered_by_people >= 930, "{found:?}");
    assert!(found.width < 0.85 * found.width_of_people, "{found:?}");
    assert!(found.judge_alone < 100, "the judge alone is wrong: {found:?}");
}

#[test]
fn what_was_left_out_of_the_queue_ends_what_counts() {
    let queue = RandomQueue::new(100, 3);
    let judged = vec![1.0; 100];
    let mut human = vec![None; 100];
    for at in queue.order()[..40].iter().chain(&queue.order()[41..80]) {
        human[*at] = Some(1.0);
    }
    let items = queue.items(&judged, &human).unwrap();
    assert_eq!(items.iter().filter(|item| item.human.is_some()).count(), 40);
    assert!(items.iter().all(|item| (item.probability - 0.4).abs() < 1e-12));
    assert_ne!(queue.order(), RandomQueue::new(100, 4).order());
}

#[test]
fn a_queue_without_known_chances_and_too_few_answers_are_refused() {
    let item = |human: Option<f64>, probability: f64| PpiItem { judged: 1.0, human, probability };
    // Disputed questions first: who was asked was certain.
    let disputed: Vec<PpiItem> =
        (0..60).map(|at| item((at < 40).then_some(1.0), f64::from(u8::from(at < 40)))).collect();
    assert_eq!(estimate(&disputed, 0.05), Err(PpiRefusal::NotRandom));
    let few: Vec<PpiItem> = (0..60).map(|at| item((at < 29).then_some(1.0), 0.5)).collect();
    assert_eq!(estimate(&few, 0.05), Err(PpiRefusal::Few { answers: 29 }));
    let all = vec![item(Some(1.0), 0.5); 60];
    assert_eq!(estimate(&all, 0.05), Err(PpiRefusal::All));
    let same: Vec<PpiItem> = (0..60).map(|at| item((at < 35).then_some(1.0), 0.6)).collect();
    assert_eq!(estimate(&same, 0.05), Err(PpiRefusal::Same));
    let none = RandomQueue::new(50, 1).items(&[1.0; 50], &[None; 50]).unwrap();
    assert_eq!(estimate(&none, 0.05), Err(PpiRefusal::Few { answers: 0 }));
}

#[test]
fn an_unsure_answer_widens_the_intervals_both_ways_and_is_not_left_out() {
    let queue = RandomQueue::new(100, 5);
    let judged: Vec<f64> = (0..100).map(|at| f64::from(u8::from(at % 3 > 0))).collect();
    let said = |unsure: usize| {
        let mut said = vec![None; 100];
        for (place, at) in queue.order()[..60].iter().enumerate() {
            said[*at] = Some(match place % 20 < unsure {
                true => PersonsAnswer::Unsure,
                false => PersonsAnswer::Score(judged[*at]),
            });
        }
        said
    };
    let sure = estimate_of(&queue, &judged, &said(0), 0.05).unwrap();
    let unsure = estimate_of(&queue, &judged, &said(2), 0.05).unwrap();
    assert_eq!((sure.answers, unsure.answers), (60, 60));
    // Six of sixty can be anything: a tenth of the scale.
    assert!(unsure.human.width() > sure.human.width() + 0.08, "{sure:?} {unsure:?}");
    assert!(unsure.corrected.low < sure.corrected.low && sure.corrected.high < unsure.corrected.high);
}

/// Few answers to a small pack, where nine of ten are right and the judge is biased: hardest for a normal interval.
#[test]
fn a_small_queue_covers_the_mean_of_its_own_questions() {
    const DRAWS: usize = 1000;
    let mut mix = SplitMix(5);
    for (items, answers, right) in [(91, 40, 0.7), (91, 60, 0.9), (300, 60, 0.9)] {
        let (mut covered, mut of_all_like_them, mut refused) = (0, 0, 0);
        for _ in 0..DRAWS {
            let mut draw = |chance: f64| f64::from(u8::from(chance::is_hit(&mut mix, chance)));
            let truth: Vec<f64> = (0..items).map(|_| draw(right)).collect();
            let judged: Vec<f64> =
                truth.iter().map(|one| draw(if *one > 0.5 { 0.97 } else { 0.33 })).collect();
            let queue = RandomQueue::new(items, mix.next_bits());
            let mut said = vec![None; items];
            for at in &queue.order()[..answers] {
                said[*at] = Some(PersonsAnswer::Score(truth[*at]));
            }
            let Ok(Ppi { corrected, .. }) = estimate_of(&queue, &judged, &said, 0.05) else {
                refused += 1;
                continue;
            };
            let holds = |of: f64| usize::from(corrected.low <= of && of <= corrected.high);
            covered += holds(mean(&truth));
            of_all_like_them += holds(right);
        }
        let told = DRAWS - refused;
        println!("{items} items, {answers} answers: {covered}, all like them {of_all_like_them}, of {told}");
        assert!(covered * 100 >= told * 92, "{covered} of {told}");
        assert!(told > DRAWS * 9 / 10, "{told} of {DRAWS}");
    }
}
