// The letters of a matrix of pairs, as the engine packs them: one a pair, the first report with each later one, and so on.

export type Mark = 'best' | 'better' | 'alike' | 'worse' | 'worst' | 'refused' | 'none';

export const SIGNS: Record<Mark, string> = {
  best: '＋＋',
  better: '＋',
  alike: '＝',
  worse: '−',
  worst: '−−',
  refused: '×',
  none: '·',
};

/** Where the pair of two places stands; the order of the two does not matter. */
export function placeOf(one: number, other: number, count: number): number {
  const [low, high] = one < other ? [one, other] : [other, one];
  return low * count - (low * (low + 1)) / 2 + high - low - 1;
}

/** A pair as the row sees it. */
export function markOf(cells: string, row: number, column: number, count: number): { mark: Mark; limited: boolean } {
  const letter = cells[placeOf(row, column, count)] ?? 'n';
  const small = letter.toLowerCase();
  const limited = letter !== small;
  if (small === 'x') return { mark: 'refused', limited: false };
  const code = small.charCodeAt(0) - 97;
  if (small === 'n' || code < 0 || code > 8) return { mark: 'none', limited };
  const sure = code % 3;
  const lowIsBetter = Math.floor(code / 3) === 1;
  if (sure === 0) return { mark: 'alike', limited };
  const better = lowIsBetter === row < column;
  return { mark: better ? (sure === 2 ? 'best' : 'better') : sure === 2 ? 'worst' : 'worse', limited };
}
