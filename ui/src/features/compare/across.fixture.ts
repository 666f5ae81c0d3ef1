// What the engine answers about models over two packs, for the tests of this screen.
import type { AcrossView } from '../../ipc/gen';

const ONE = { difference: 0.8, error: 0.1, interval: [0.48, 0.94] as [number, number], p: 0.0078 };
const TWO = { difference: 0, error: 0.05, interval: [-0.11, 0.11] as [number, number], p: 1 };
const BOTH = { difference: 0.2, error: 0.05, interval: [0.09, 0.29] as [number, number], p: 0.0078 };

export const ACROSS: AcrossView = {
  weights: 'item',
  power: 0.8,
  alpha: 0.05,
  models: [
    { model: 'lab/a', reports: [{ pack: 'one@1', id: 'a1' }] },
    { model: 'lab/b', reports: [{ pack: 'one@1', id: 'b1' }] },
  ],
  packs: ['one@1', 'two@1'],
  seen: { discordance: null, item: 0.196, benchmark: 0.3 },
  assumed: [
    { discordance: 0.1, item: null, benchmark: null },
    { discordance: 0.2, item: 0.171, benchmark: 0.192 },
  ],
  pairs: [
    {
      first: 'lab/a',
      second: 'lab/b',
      packs: [
        { pack: 'one@1', grade: 'limited', findings: [], items: 10, left_out: 0 },
        { pack: 'two@1', grade: 'comparable', findings: [], items: 30, left_out: 0 },
      ],
      left_out: [{ pack: 'three@1', reason: 'lab/b has no report of this pack' }],
      across: {
        weights: 'item',
        strata: [
          { ...ONE, benchmark: 'one@1', group: 'L1', items: 10, weight: 0.25, holm: 0.0156, discordance: 0.8 },
          { ...TWO, benchmark: 'two@1', group: 'simple', items: 30, weight: 0.75, holm: 1, discordance: 0 },
        ],
        benchmarks: [
          { benchmark: 'one@1', items: 10, combined: { ...ONE, detectable: 0.79 } },
          { benchmark: 'two@1', items: 30, combined: { ...TWO, detectable: 0.26 } },
        ],
        combined: { ...BOTH, detectable: 0.196 },
        heterogeneity: { q: 40, p: 0.0001, i2: 0.97 },
        sentence: 'difference +0.2000; the benchmarks disagree (Cochran’s Q), so look at each benchmark',
      },
      holm: 0.0078,
      verdict: 'second',
    },
  ],
};
