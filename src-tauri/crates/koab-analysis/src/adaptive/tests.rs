use super::bank::Bank;
use super::rasch::Rasch;
use super::simulation::run;
use super::*;
use crate::chance;
use koab_core::split_mix::SplitMix;
use serde_json::Value;

const FIXTURE: &str = include_str!("../../tests/adaptive/rasch.json");

fn answers(value: &Value) -> Vec<Option<bool>> {
    value.as_array().unwrap().iter().map(Value::as_bool).collect()
}

fn near(ours: f64, theirs: &Value, by: f64) -> bool {
    (ours - theirs.as_f64().unwrap()).abs() < by
}

#[test]
fn the_model_is_the_one_that_scipys_optimizer_and_integrator_find() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    let solved: Vec<Vec<Option<bool>>> = fixture["solved"].as_array().unwrap().iter().map(answers).collect();
    let fitted = Rasch::fit(&solved);
    for (ours, theirs) in [(&fitted.abilities, "abilities"), (&fitted.difficulties, "difficulties")] {
        for (ours, theirs) in ours.iter().zip(fixture[theirs].as_array().unwrap()) {
            assert!(near(*ours, theirs, 1e-4), "{ours} for {theirs}");
        }
    }
    let bank = Bank::new(&solved);
    let given = answers(&fixture["answers"]);
    let (mean, variance) = bank.rest(&bank.abilities(&given), &given);
    assert!(near(mean, &fixture["rest_mean"], 2e-3), "{mean}");
    assert!(near(variance, &fixture["rest_variance"], 2e-3), "{variance}");
}

/// Models of a made-up pack, whose items most models solve.
fn pack(mix: &mut SplitMix, models: usize, items: usize) -> Vec<Vec<Option<bool>>> {
    let difficulties: Vec<f64> = (0..items).map(|_| 2.0 * chance::normal(mix) - 2.0).collect();
    let model = |mix: &mut SplitMix| {
        let ability = chance::normal(mix);
        let solves = |difficulty: &f64| Some(chance::is_hit(mix, rasch::logistic(ability - difficulty)));
        difficulties.iter().map(solves).collect()
    };
    (0..models).map(|_| model(mix)).collect()
}

fn mean(truth: &[Option<bool>]) -> f64 {
    truth.iter().flatten().filter(|one| **one).count() as f64 / truth.len() as f64
}

#[test]
fn the_interval_holds_the_whole_run_and_few_items_are_left_when_it_is_narrow() {
    let mut mix = SplitMix(13);
    let (mut held, mut asked) = (0, [0, 0]);
    for _ in 0..30 {
        let mut models = pack(&mut mix, 9, 80);
        let truth = models.pop().unwrap();
        for (at, half_width) in [0.03, 0.06].into_iter().enumerate() {
            let options = AdaptiveOptions { half_width, seed: mix.next_bits(), ..AdaptiveOptions::default() };
            let found = run(&AdaptivePlan::new(&models, options).unwrap(), &truth);
            held += usize::from((found.mean - mean(&truth)).abs() <= found.half_width);
            asked[at] += found.asked;
            assert!(found.half_width <= half_width && found.asked >= 20);
        }
    }
    // Three standard errors below 95 % of 60.
    assert!(held >= 52, "{held} of 60");
    assert!(asked[1] < asked[0] && asked[0] < 30 * 75, "{asked:?}");
}

#[test]
fn items_are_those_that_models_differ_on_and_the_same_for_the_same_seed() {
    let mut mix = SplitMix(5);
    let mut models = pack(&mut mix, 8, 40);
    for (at, model) in models.iter_mut().enumerate() {
        // The first half everyone solves, the second every other model.
        for (item, answer) in model.iter_mut().enumerate() {
            *answer = Some(item < 20 || at % 2 == 0);
        }
    }
    let plan = |seed| {
        let options = AdaptiveOptions { seed, at_once: 6, ..AdaptiveOptions::default() };
        AdaptivePlan::new(&models, options).unwrap()
    };
    let first = |seed| plan(seed).next(&[]);
    let AdaptiveStep::Items(items) = first(1) else {
        panic!("nothing is known yet");
    };
    assert!(items.len() == 6 && items.iter().all(|item| *item >= 20), "{items:?}");
    assert_eq!(first(1), AdaptiveStep::Items(items));
    assert_ne!(first(1), first(2));
    let all = vec![Some(true); 40];
    let found = run(&plan(1), &all);
    assert!(found.sentence.to_string().contains("an estimate cannot be submitted"), "{}", found.sentence);
}

#[test]
fn too_few_reports_other_items_and_no_width_are_refused() {
    let models = pack(&mut SplitMix(1), 4, 10);
    let new = |models: &[Vec<Option<bool>>], half_width| {
        let options = AdaptiveOptions { half_width, ..AdaptiveOptions::default() };
        AdaptivePlan::new(models, options).map(|_| ())
    };
    assert_eq!(new(&models[..3], 0.03), Err(AdaptiveRefusal::FewModels { count: 3 }));
    assert_eq!(new(&models, 3.0), Err(AdaptiveRefusal::Width));
    let mut other = models.clone();
    other[1].pop();
    assert_eq!(new(&other, 0.03), Err(AdaptiveRefusal::OtherItems));
    assert_eq!(new(&models, 0.03), Ok(()));
}
