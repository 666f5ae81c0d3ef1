import { expect, it } from 'vitest';
import type { AcrossRequest, AcrossView } from '../../ipc/gen';
import { parsePlace } from '../../shared/route.svelte';
import { openScreen, screensForTests, settle } from '../../shared/screenForTests';
import { ACROSS } from './across.fixture';
import { comparedReport } from './report.fixture';
import Screen from './Screen.svelte';

screensForTests();

const asked: AcrossRequest[] = [];

async function open(
  address: string,
  answer: AcrossView | Error = ACROSS,
  packs: string[] = ['one@1', 'two@1'],
): Promise<void> {
  asked.length = 0;
  await openScreen(Screen, {
    at: address,
    answers: {
      compare: ({ ids }) => ({
        reports: ids.map((id) => comparedReport(id, { model: id.slice(0, 1) })),
        differences: new Set(packs).size > 1 ? [{ what: 'pack' as const, values: packs }] : [],
        matrix: { levels: [], composites: [], ranks: ids.map(() => null), tasks: [], duels: [] },
      }),
      compare_across: ({ request }) => {
        asked.push(request);
        if (answer instanceof Error) throw answer;
        return { ...answer, weights: request.weights };
      },
      compare_pairs: () => ({ conclusions: [], pairs: [] }),
      compare_ranks: ({ ids }) => ({ reports: ids, rankings: [] }),
      other_instructions: () => [],
      compare_matrix: () => {
        throw new Error('not asked here');
      },
    },
  });
}

const card = () => document.querySelector('#across');
const text = () => card()?.textContent?.replace(/\s+/g, ' ') ?? '';
const parts = () =>
  [...document.querySelectorAll<HTMLElement>('#across [data-part]')].map((row) => [
    row.dataset['part'],
    row.querySelector('th')?.textContent,
  ]);

it('shows every part beside the combined difference, drawn, and what could have been found', async () => {
  await open('#/compare?reports=a1,a2,b1,b2');
  expect(parts()).toEqual([
    ['pack', 'one@1'],
    ['group', 'L1'],
    ['pack', 'two@1'],
    ['group', 'simple'],
    ['combined', 'Combined'],
  ]);
  expect(document.querySelector('[data-across="lab/b"]')?.getAttribute('data-verdict')).toBe('second');
  expect(document.querySelectorAll('#across td svg')).toHaveLength(5);
  expect(text()).toContain('lab/a → lab/b: lab/b is better');
  expect(text()).toContain('the benchmarks disagree');
  expect(text()).toContain('three@1 is left out: lab/b has no report of this pack');
  expect(text()).toContain('Assumption: 10 %——');
  expect(text()).toContain('Assumption: 20 %17.1 %19.2 %');
});

it('says nothing of what could be found where nothing is compared', async () => {
  const nothing = { discordance: null, item: null, benchmark: null };
  await open('#/compare?reports=a1,a2,b1,b2', { ...ACROSS, seen: nothing });
  expect(text()).toContain('lab/a → lab/b');
  expect(text()).not.toContain('Smallest difference');
});

it('weighs by pack where the address says so, and the choice is kept there', async () => {
  await open('#/compare?reports=a1,a2,b1,b2');
  expect(asked.at(-1)).toEqual({ ids: ['a1', 'a2', 'b1', 'b2'], weights: 'item', seed: null });
  const weights = document.querySelector<HTMLSelectElement>('#across select');
  if (weights) weights.value = 'benchmark';
  weights?.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
  expect(parsePlace(location.hash).query['weights']).toBe('benchmark');
  expect(asked.at(-1)?.weights).toBe('benchmark');
});

it('is not there for reports of a single pack', async () => {
  await open('#/compare?reports=a1,b1', ACROSS, ['one@1', 'one@1']);
  expect(document.querySelector('main, [data-report], table')).not.toBeNull();
  expect(asked).toEqual([]);
  expect(card()).toBeNull();
});
