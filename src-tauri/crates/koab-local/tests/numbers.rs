//! A converted model computes what the original does.
//!
//! The original's numbers are those of Hugging Face transformers (float32, on the processor), made once by
//! `fixtures/numbers/make.py` from the models that `koab-tiny` writes here again. The measure is the distance of two lists of
//! logits: the length of their difference over the length of the original's list.
#![allow(clippy::unwrap_used)]

mod broken;
mod fixture;
mod llama;
mod official;
mod spelling;
mod vocabulary;

use std::ops::ControlFlow;
use std::path::Path;

use koab_local::convert::{Converted, Precision, convert};
use koab_local::engine::{Device, Engine, Generate, LoadSpec};
use koab_local::hf::Folder;
use tempfile::TempDir;

use fixture::Fixture;

/// How far float32 may be from the original: sums in another order.
const SAME: f64 = 1e-4;

/// Converts a folder's model into a folder of its own.
fn converted(model: &Path, precision: Precision) -> (TempDir, Converted) {
    let out = tempfile::tempdir().unwrap();
    let folder = Folder::open(model).unwrap();
    let converted = convert(&folder, out.path(), precision, &|_| ControlFlow::Continue(())).unwrap();
    (out, converted)
}

/// The largest distance over the positions of a fixture. What is not a number is infinitely far away.
fn distance(run: &[Vec<f32>], fixture: &Fixture) -> f64 {
    assert_eq!(run.len(), fixture.logits.len());
    let of = |(ours, theirs): (&Vec<f32>, &Vec<f32>)| {
        assert_eq!(ours.len(), theirs.len());
        let square = |sum: f64, number: f32| sum + f64::from(number).powi(2);
        let difference = ours.iter().zip(theirs).map(|(ours, theirs)| ours - theirs).fold(0.0, square);
        (difference / theirs.iter().copied().fold(0.0, square)).sqrt()
    };
    let distances = run.iter().zip(&fixture.logits).map(of);
    distances.fold(0.0, |largest, one| if one.is_nan() { f64::INFINITY } else { largest.max(one) })
}

#[test]
fn float32_gives_the_numbers_and_the_words_of_transformers() {
    for fixture in Fixture::all() {
        let model = fixture.checked();
        let (_out, converted) = converted(model.path(), Precision::F32);
        let run = llama::run(&converted.model, &fixture.read, &fixture.positions, fixture.follow.len());
        let distance = distance(&run.logits, &fixture);
        eprintln!("{} float32: {distance:.1e}", fixture.name);
        assert!(distance < SAME, "{}: {distance:e}", fixture.name);
        assert_eq!(run.follow, fixture.follow, "{}", fixture.name);
    }
}

#[test]
fn what_is_no_number_is_far_away() {
    let fixture = Fixture::named("qwen2");
    assert_eq!(distance(&fixture.logits, &fixture), 0.0);
    let mut run = fixture.logits.clone();
    run[1][0] = f32::NAN;
    assert_eq!(distance(&run, &fixture), f64::INFINITY);
}

/// The tests above drive llama.cpp themselves, for its logits, with keys and values in float32. The engine keeps them as users
/// have them, in float16: eight of the ten models say all 32 words of transformers, the two most sensitive ones 17 and 18.
#[test]
fn the_engine_begins_with_the_words_of_transformers() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    for fixture in Fixture::all() {
        let model = fixture.written();
        let (_out, converted) = converted(model.path(), Precision::F32);
        let engine = Engine::load(&LoadSpec {
            path: converted.model,
            device: Device::Cpu,
            context_per_sequence: 512,
            parallel: 1,
            threads: Some(1),
        })
        .unwrap();
        let request =
            Generate { max_tokens: fixture.follow.len() as u32, ..Generate::new(fixture.read.clone()) };
        let answer = runtime.block_on(engine.generate(request).collect()).unwrap();
        let same = answer.tokens.iter().zip(&fixture.follow);
        let same = same.take_while(|(ours, theirs)| ours == theirs).count();
        assert!(same * 2 >= fixture.follow.len(), "{}: {same} of {}", fixture.name, fixture.follow.len());
    }
}

/// Each precision lies in a band of its own: coarser or finer than it says would be another band. The models are made to be
/// sensitive, so the bands are wide; which format each tensor gets is told by the tests of conversions.
#[test]
fn fewer_bits_stay_within_their_bounds() {
    let bands = [
        (Precision::F16, 1e-4..3e-3),
        (Precision::BF16, 5e-3..2e-2),
        (Precision::Q8_0, 3e-2..0.1),
        (Precision::Q4, 0.15..0.75),
    ];
    for name in ["qwen2", "qwen2-narrow", "qwen3", "llama", "mistral"] {
        let fixture = Fixture::named(name);
        let model = fixture.written();
        for (precision, band) in &bands {
            let (_out, converted) = converted(model.path(), *precision);
            let run = llama::run(&converted.model, &fixture.read, &fixture.positions, 0);
            let distance = distance(&run.logits, &fixture);
            eprintln!("{name} {precision}: {distance:.1e}");
            assert!(band.contains(&distance), "{name} {precision}: {distance:e} is not in {band:?}");
        }
    }
}
