// The models and judges that were used last in this browser, the last one first.

const STORED = { model: 'koab.lastModel', judge: 'koab.lastJudge' };
const MAX_NAMES = 5;

export function lastUsed(as: keyof typeof STORED): string[] {
  return (localStorage.getItem(STORED[as]) ?? '').split('\n').filter(Boolean);
}

/** Names that were used just now. */
export function keepUsed(as: keyof typeof STORED, names: readonly string[]): void {
  const all = [...new Set([...names, ...lastUsed(as)])];
  localStorage.setItem(STORED[as], all.slice(0, MAX_NAMES).join('\n'));
}
