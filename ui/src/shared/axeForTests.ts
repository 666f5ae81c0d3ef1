// What the checker of accessibility finds on the page that a test has opened.
import axe from 'axe-core';
import { settle } from './settleForTests';

/** Violations on the page, without those of rules that need a layout, which jsdom has none of. */
export async function violations(...without: string[]): Promise<string[]> {
  const rules = Object.fromEntries(['color-contrast', ...without].map((rule) => [rule, { enabled: false }]));
  let results: axe.AxeResults | undefined;
  let error: unknown;
  axe.run(document.body, { rules }).then(
    (found) => (results = found),
    (reason: unknown) => (error = reason),
  );
  // The checker waits for timers of its own, and the clock is faked.
  while (!results && !error) await settle(1);
  if (!results) throw error;
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
