// The figure that a pair's conclusion begins with, as the engine chooses it (`koab-analysis/src/paired/conclusion.rs`), and what a
// verdict says of the second report.
import type { PairConclusion, PairTest, PairView } from '../../ipc/gen';

/** Null where nothing was tested. */
export function leadOf({ conclusion: { family } }: PairConclusion, view: PairView | undefined): PairTest | null {
  const families = view?.pairs[0]?.tests?.families ?? [];
  const tested = (families.find((one) => one.family === family)?.tests ?? []).filter(({ p }) => p !== null);
  if (family === 'composites') return tested[0] ?? null;
  const widest = tested.reduce<PairTest | null>((best, one) => (best && best.tasks >= one.tasks ? best : one), null);
  return tested.find(({ metric }) => metric === 'SR') ?? widest;
}

export type Side = 'better' | 'worse' | 'alike' | 'untested';

const SIDES: Record<PairTest['verdict'], Side> = {
  first: 'worse',
  second: 'better',
  not_separated: 'alike',
  untested: 'untested',
};
/** How the second report stands to the first, the baseline. */
export const sideOf = ({ verdict }: Pick<PairTest, 'verdict'>): Side => SIDES[verdict];

/** Neither colour for what is no difference. */
export const TONES: Record<Side, string> = {
  better: 'text-good',
  worse: 'text-bad',
  alike: 'text-muted',
  untested: 'text-muted',
};
export const SYMBOLS: Record<Side, string> = { better: '▲', worse: '▼', alike: '≈', untested: '×' };
/** Between the second and the first. */
export const RELATIONS: Record<Side, string> = { better: '>', worse: '<', alike: '≈', untested: '·' };

/** By itself it looks separated: what keeps it from being so is the correction, which must be said. */
export const isAlone = ({ verdict, p }: PairTest) => verdict === 'not_separated' && p !== null && p < 0.05;
