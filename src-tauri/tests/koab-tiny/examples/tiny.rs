//! Writes a random model by hand: `cargo run -p koab-tiny --example tiny -- NAME FOLDER [SEED]`, where the name is qwen2, qwen3,
//! llama, mistral, another of the variants, or half-billion.

use std::error::Error;
use std::path::PathBuf;

use koab_tiny::Shape;

fn main() -> Result<(), Box<dyn Error>> {
    let variants = Shape::variants();
    let names: Vec<&str> = variants.iter().map(|(name, _)| *name).collect();
    let usage = format!("tiny {}|half-billion FOLDER [SEED]", names.join("|"));
    let mut words = std::env::args().skip(1);
    let name = words.next().ok_or(usage.as_str())?;
    let folder = PathBuf::from(words.next().ok_or(usage.as_str())?);
    let seed = words.next().map(|seed| seed.parse()).transpose()?;
    let mut shape = if name == "half-billion" {
        Shape::qwen2_half_billion()
    } else {
        variants.into_iter().find(|(known, _)| *known == name).ok_or(usage)?.1
    };
    shape.seed = seed.unwrap_or(shape.seed);
    koab_tiny::write_shaped(&folder, &shape)?;
    Ok(())
}
