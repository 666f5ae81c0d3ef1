//! Draws a random part of a file's instances. The part is the same every time, and the same as in
//! the original tool.
//!
//! The generator and seed are those of Python's `random.Random(425).sample`. Instances run in drawn
//! order.

use crate::scenario_file::ScenarioFile;
use koab_core::say;
use koab_core::sentence::Sentence;

/// Share of a file's instances to run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Share {
    /// All instances, in the file's order.
    All,
    /// A random share of the instances, from 0 up to but not including 1.
    Part(f64),
    /// A random sample of this size, or all instances if there are fewer.
    Count(usize),
}

impl Share {
    /// Reads a share: a text with a decimal point is a fraction from 0 to 1, any other text is a
    /// count.
    ///
    /// # Errors
    /// One sentence that describes the fault.
    pub fn parse(text: &str) -> Result<Self, Sentence> {
        let wrong = || say!("{text:?} is neither a count nor a share from 0.0 to 1.0");
        let value: f64 = text.trim().parse().map_err(|_| wrong())?;
        if text.contains('.') {
            return match value {
                1.0 => Ok(Self::All),
                0.0..1.0 => Ok(Self::Part(value)),
                _ => Err(wrong()),
            };
        }
        match value {
            0.0..1.0 => Ok(Self::Part(value)),
            // A negative number silently draws nothing in the original.
            1.0.. if value.is_finite() => Ok(Self::Count(value as usize)),
            _ => Err(wrong()),
        }
    }

    fn count(self, lines: usize) -> usize {
        match self {
            Self::All => lines,
            Self::Part(share) => ((lines as f64 * share + 0.5) as usize).min(lines),
            Self::Count(count) => count.min(lines),
        }
    }
}

/// Draws instances from one file after another. The draw from a file depends on the files before
/// it, because they share a random generator.
#[derive(Clone, Debug)]
pub struct Subsample {
    share: Share,
    random: MersenneTwister,
}

impl Subsample {
    /// Seed of every draw.
    const SEED: u32 = 425;

    /// Creates a draw that has not read any file yet.
    pub fn new(share: Share) -> Self {
        Self { share, random: MersenneTwister::new(Self::SEED) }
    }

    /// Reduces the next file to its drawn instances, in drawn order.
    pub fn apply(&mut self, file: &mut ScenarioFile) {
        let sample = self.draw(file.instances.len());
        file.instances = sample.into_iter().map(|at| file.instances[at].clone()).collect();
    }

    /// Draws from the next file, which has `instances` instances. Returns the 0-based positions of
    /// the drawn ones, in drawn order.
    pub fn draw(&mut self, instances: usize) -> Vec<usize> {
        let count = self.share.count(instances);
        if self.share == Share::All {
            return (0..instances).collect();
        }
        self.random.sample(instances, count)
    }
}

const N: usize = 624;
const M: usize = 397;

/// Random generator MT19937 (Matsumoto, Nishimura 1998), seeded as Python seeds it with a small
/// number.
#[derive(Clone, Debug)]
struct MersenneTwister {
    state: [u32; N],
    next: usize,
}

impl MersenneTwister {
    /// Creates a generator with the reference function `init_by_array` and a key of one word.
    fn new(seed: u32) -> Self {
        let mut state = [0_u32; N];
        state[0] = 19_650_218;
        for i in 1..N {
            state[i] = mixed(state[i - 1], 1_812_433_253).wrapping_add(i as u32);
        }
        let mut at = 1;
        for _ in 0..N {
            state[at] = (state[at] ^ mixed(state[at - 1], 1_664_525)).wrapping_add(seed);
            at = step(&mut state, at);
        }
        for _ in 0..N - 1 {
            state[at] = (state[at] ^ mixed(state[at - 1], 1_566_083_941)).wrapping_sub(at as u32);
            at = step(&mut state, at);
        }
        state[0] = 0x8000_0000;
        Self { state, next: N }
    }

    fn word(&mut self) -> u32 {
        if self.next == N {
            self.twist();
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    fn twist(&mut self) {
        for i in 0..N {
            let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % N] & 0x7fff_ffff);
            let odd = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + M) % N] ^ (y >> 1) ^ odd;
        }
        self.next = 0;
    }

    /// Random number below `bound`, which must not be 0. Uses the top bits of random words, and
    /// skips numbers that are too large.
    fn below(&mut self, bound: usize) -> usize {
        let bits = usize::BITS - bound.leading_zeros();
        loop {
            // Files have fewer than 2³² lines, so one word is enough.
            let number = (self.word() >> (32 - bits.min(32))) as usize;
            if number < bound {
                return number;
            }
        }
    }

    /// `count` different random numbers below `total`, in drawn order.
    fn sample(&mut self, total: usize, count: usize) -> Vec<usize> {
        if total <= pool_limit(count) {
            let mut pool: Vec<usize> = (0..total).collect();
            return (0..count)
                .map(|drawn| {
                    let remaining = total - drawn;
                    let at = self.below(remaining);
                    let picked = pool[at];
                    pool[at] = pool[remaining - 1];
                    picked
                })
                .collect();
        }
        let mut picked = Vec::with_capacity(count);
        let mut numbers = std::collections::HashSet::new();
        while picked.len() < count {
            let number = self.below(total);
            if numbers.insert(number) {
                picked.push(number);
            }
        }
        picked
    }
}

fn mixed(word: u32, factor: u32) -> u32 {
    (word ^ (word >> 30)).wrapping_mul(factor)
}

/// Next position in the state during seeding. After the last word it continues with the second
/// word.
fn step(state: &mut [u32; N], at: usize) -> usize {
    if at + 1 < N {
        return at + 1;
    }
    state[0] = state[N - 1];
    1
}

/// Largest total for sampling from a list of all numbers. For larger totals, Python draws until a
/// number is new.
fn pool_limit(count: usize) -> usize {
    let mut limit = 21;
    if count > 5 {
        // The smallest power of four that is at least three times the count.
        let mut power = 1;
        while power < 3 * count {
            power *= 4;
        }
        limit += power;
    }
    limit
}
