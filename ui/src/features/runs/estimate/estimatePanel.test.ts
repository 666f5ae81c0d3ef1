import { expect, test, vi } from 'vitest';
import type { DryRun, RunRequest } from '../../../ipc/gen';
import { find, openScreen, screensForTests, settle } from '../../../shared/screenForTests';
import EstimatePanel from './EstimatePanel.svelte';

screensForTests();

const run = (minutes: number | null, short: DryRun['short_limit']): DryRun => ({
  pack: 'starter@1.0.0',
  model: 'local/slow',
  attempts: 15,
  levels: [],
  judges: [],
  estimate: { calls: 60, prompt_tokens: 9000, completion_tokens: 900, usd: 0, minutes, from: 'a guess' },
  ...(short ? { short_limit: short } : {}),
});
const open = (found: DryRun, onLimit?: (seconds: number) => void) => {
  const request = { id: '', model: found.model } as unknown as RunRequest;
  const props = { all: [{ request, run: found, error: null }], loading: false, onLimit };
  return openScreen(EstimatePanel as never, { props });
};

test('a time limit that is too short for the model is said, and one that fits is taken over', async () => {
  const onLimit = vi.fn();
  await open(run(420, { levels: ['L2', 'L4'], attempt_s: 139.6, limit_s: 60, fits_s: 600 }), onLimit);
  const said = find('[data-short-limit]');
  expect(said?.textContent).toMatch(/up to 140 s on average \(L2, L4\), and after 60 s it fails/);
  said?.querySelector('button')?.click();
  await settle();
  expect(onLimit).toHaveBeenCalledWith(600);
});

test('where the speed of a model is not known its time is not, and it says where it is measured', async () => {
  await open(run(null, undefined));
  const said = find('[data-untimed]');
  expect(said?.textContent).toMatch(/speed of local\/slow on this machine has not been measured/);
  expect(said?.querySelector('a')?.getAttribute('href')).toMatch(/models\/slow$/);
  expect(find('[data-short-limit]')).toBeNull();
});
