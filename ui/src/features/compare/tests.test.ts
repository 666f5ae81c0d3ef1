import { beforeEach, expect, it } from 'vitest';
import type { ComparedReport, CompareView, MatrixRequest, PairView, PairsRequest } from '../../ipc/gen';
import { violations } from '../../shared/axeForTests';
import { parsePlace } from '../../shared/route.svelte';
import { openScreen, screensForTests, settle } from '../../shared/screenForTests';
import { markOf, placeOf } from './pairCells';
import Screen from './Screen.svelte';
import { comparedReport } from './report.fixture';
import { library, MATRIX, PAIR, RANKS, REFUSED, tested } from './tests.fixture';

const values = {
  values: [0.6, 0.55, null],
  reasons: [null, null, 'x'],
  intervals: [null, null, null],
  no_interval: [null, null, null],
  deltas: [0, -0.05, null],
  best: [true, false, false],
};
const view = (ids: string[]): CompareView => ({
  reports: ids.map((id) => comparedReport(id)),
  differences: [],
  matrix: {
    levels: [],
    composites: [{ variant: 'flat_report', reading: 'over the published metrics', values }],
    ranks: [1, 2, null],
    tasks: [],
    duels: [],
  },
});

const pairs: PairsRequest[] = [];
const matrices: MatrixRequest[] = [];

screensForTests();
beforeEach(() => {
  pairs.length = matrices.length = 0;
});

async function open(address: string, answer: PairView = PAIR, reports = 45, compared = view): Promise<void> {
  await openScreen(Screen, {
    at: address,
    answers: {
      compare: ({ ids }) => compared(ids),
      compare_pairs: ({ request }) => {
        pairs.push(request);
        return tested(request.ids, answer);
      },
      compare_ranks: () => RANKS,
      compare_matrix: ({ request }) => {
        matrices.push(request);
        return request.ids.length ? MATRIX : library(reports);
      },
      reports_library: () => [],
    },
  });
}
const text = (selector = 'body') => document.querySelector(selector)?.textContent?.replace(/\s+/g, ' ') ?? '';
/** The cells of a row, as they stand in it. */
const cells = (selector: string) =>
  [...(document.querySelector(selector)?.children ?? [])]
    .map((cell) => cell.textContent?.replace(/\s+/g, ' ').trim() ?? '')
    .join(' | ');

it('says of each figure who is better, or that there is no significant difference and what it would take', async () => {
  await open('#/compare?reports=a,b');
  expect(pairs).toEqual([{ ids: ['a', 'b'], metrics: [], seed: null, draws: null }]);
  const row = (verdict: string) => cells(`[data-family="metrics"] tr[data-verdict="${verdict}"]`);
  expect(row('second')).toBe(
    'SR | ▶ B is better | 0.0003 | 0.0001 | 91 | 0.5000 | 0.7000 | +0.2000 | [+0.080, +0.320] | 20 · 2 | g +0.41',
  );
  expect(row('not_separated')).toContain(
    '＝ No significant difference needs about 226 more tasks, or at least 24 times the attempts per task',
  );
  expect(row('untested')).toMatch(
    /^Coverage · L4 [|] Not tested the second report has no value: the level was not evaluated [|] — [|] — [|] — [|] — /,
  );
  expect(text('[data-family="metrics"] summary')).toContain(
    'over 2 tests: all figures of this kind in all pairs of this page',
  );
  expect(text('[data-scorer="leaderboard"]')).toContain('their calls were answered from different caches: 1, 2');
});

it('names Holm where a test by itself is significant', async () => {
  const [pair] = PAIR.pairs;
  const family = pair?.tests?.families[0];
  const alike = family?.tests.find(({ verdict }) => verdict === 'not_separated');
  if (!pair?.tests || !family || !alike) throw new Error('the fixture has no such test');
  const alone = [
    { ...alike, metric: 'PSM' as const, interval: { low: 0.01, high: 0.2, method: 'bootstrap' as const } },
    { ...alike, metric: 'CallEM' as const, p: 0.03, holm: 0.3 },
    alike,
  ];
  await open('#/compare?reports=a,b', {
    ...PAIR,
    pairs: [{ ...pair, tests: { ...pair.tests, families: [{ ...family, tests: alone }] } }],
  });
  const said = [...document.querySelectorAll('[data-said] b')].map((cell) => cell.textContent);
  const alikeAnyway = '＝ No significant difference';
  expect(said).toEqual([alikeAnyway, `${alikeAnyway} after Holm’s correction`, alikeAnyway]);
});

it('ranks in one reading of the composite, and says which and what it counts', async () => {
  await open('#/compare?reports=a,b,c');
  expect(text('[data-reading="flat_report"]')).toContain(
    'Composite of the metrics that published reports contain (ProvAcc and ReuseRate left out).',
  );
  document.querySelector<HTMLElement>('[data-tab="ranks"]')?.click();
  await settle();
  expect(text('#ranks-title ~ select, .head select')).toContain('Composite');
});

it('refuses with the reason, and shows no p value', async () => {
  await open('#/compare?reports=a,b', REFUSED);
  expect(text('[data-refused]')).toContain('Not tested');
  expect(text('[data-scorer]')).toContain('different protocols: leaderboard, corrected → run one of the two again');
  expect(document.querySelector('[data-family]')).toBeNull();
});

it('tests the first of many against each other one, all together, and shows the pair that the address names', async () => {
  await open('#/compare?reports=a,b,c&pair=a,c');
  expect(pairs).toEqual([{ ids: ['a', 'b', 'c'], metrics: [], seed: null, draws: null }]);
  const [first, second] = document.querySelectorAll<HTMLSelectElement>('#tests select');
  const choose = async (select: HTMLSelectElement | undefined, id: string) => {
    if (select) select.value = id;
    select?.dispatchEvent(new Event('change', { bubbles: true }));
    await settle();
    return parsePlace(location.hash).query;
  };
  expect([first?.value, second?.value]).toEqual(['a', 'c']);
  expect([...(second?.options ?? [])].map((one) => one.value)).toEqual(['b', 'c']);
  expect(await choose(second, 'b')).toMatchObject({ reports: 'a,b,c', pair: 'b' });
  expect(await choose(first, 'c')).toMatchObject({ reports: 'c,a,b', pair: 'b' });
});

it('shows how sure each rank is, and who has no significant difference from the best', async () => {
  await open('#/compare?reports=a,b,c');
  expect(document.querySelector('#ranks-title')).toBeNull();
  document.querySelector<HTMLElement>('[data-tab="ranks"]')?.click();
  await settle();
  expect(document.querySelector('[data-family]')).toBeNull();
  const rank = (place: number) => cells(`tr[data-rank="${place}"]`);
  expect(rank(1)).toContain('1 | rank 1 to 2 | A | ★ best | 0.6000 | 81 %');
  expect(rank(2)).toContain(
    '2 | rank 1 to 3 | B | ＝ no significant difference from the best p 0.2000, Holm p 0.2000 over 1 test | 0.5500 | 19 %',
  );
  expect(text('section')).not.toContain('undefined');
  expect(document.body.textContent).toContain('not comparable with the first report');
});

it('draws every pair with a sign and its numbers, and leads to the tests of the two', async () => {
  await open('#/compare?reports=a,b,c&all=pairs');
  const cell = (place: string) => document.querySelector<HTMLAnchorElement>(`[data-cell="${place}"]`);
  expect(['0 1', '1 0', '0 2', '2 0', '1 2'].map((place) => cell(place)?.textContent)).toEqual([
    '＝',
    '＝',
    '＋＋',
    '−−',
    '×',
  ]);
  expect(cell('2 0')?.title).toBe(
    'C vs A: worse, also after Holm’s correction, partly, solved only by the row: 1 task, only by the column: 31 tasks, p <0.0001, Holm p <0.0001 over 2 tests',
  );
  expect(cell('2 0')?.getAttribute('href')).toBe('#/compare?reports=c%2Ca');
  cell('0 1')?.focus();
  cell('0 1')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
  await settle();
  // Below it stands the report itself, which has no cell.
  expect(document.activeElement).toBe(cell('2 1'));
  expect(document.querySelectorAll('[data-cell][tabindex="0"]')).toHaveLength(1);
});

it('shows a window of a whole library, and moves it', async () => {
  await open('#/compare?all=pairs');
  expect(matrices).toEqual([{ ids: [], metric: 'SR', level: null, scorer: 'leaderboard' }]);
  expect(document.querySelectorAll('[data-cell]')).toHaveLength(20 * 19);
  expect(text()).toContain('Rows 1–20 of 45');
  [...document.querySelectorAll('button')].find((one) => one.textContent === 'Next')?.click();
  await settle();
  expect(text()).toContain('Rows 21–40 of 45');
  const cell = document.querySelector<HTMLAnchorElement>('[data-cell="20 0"]');
  expect([cell?.textContent, cell?.getAttribute('href')]).toEqual(['−−', '#/compare?reports=m20%2Cm0']);
  expect(matrices).toHaveLength(1);
});

it('finds a pair among the letters whichever report is named first', () => {
  const places = [0, 1, 2, 3].flatMap((one) =>
    [0, 1, 2, 3].filter((other) => other > one).map((other) => placeOf(one, other, 4)),
  );
  expect(places).toEqual([0, 1, 2, 3, 4, 5]);
  expect(placeOf(3, 1, 4)).toBe(placeOf(1, 3, 4));
  expect(markOf('aEix..', 0, 2, 4)).toEqual({ mark: 'better', limited: true });
  expect(markOf('aEix..', 3, 0, 4)).toEqual({ mark: 'best', limited: false });
  expect(markOf('aEix..', 1, 2, 4).mark).toBe('refused');
});

it('begins with a conclusion a pair, in the order of the address, before every table', async () => {
  await open('#/compare?reports=a,b,c');
  const said = [...document.querySelectorAll('[data-conclusion]')];
  expect(said.map((one) => one.getAttribute('data-conclusion'))).toEqual(['b', 'c']);
  expect(said[0]?.textContent).toContain('B is better (Holm p 0.0003 over 2 tests)');
  expect(said[1]?.textContent).toContain('C and A are not comparable, so nothing is tested: other rules');
  const places = [...document.querySelectorAll('#conclusions, table, [data-family]')];
  expect(places[0]?.id).toBe('conclusions');
  expect(text('#conclusions')).toContain('covers each kind of figure (all metrics, all level scores) over its 2 pairs');
  const links = (at: number) => [...(said[at]?.querySelectorAll('a') ?? [])].map((one) => one.getAttribute('href'));
  expect(links(0)).toEqual(['#/compare?reports=a%2Cb%2Cc&why=b', '#/compare?reports=a%2Cb%2Cc&pair=b&open=metrics']);
  expect(links(1)).toEqual(['#/compare?reports=a%2Cb%2Cc&why=c']);
});

it('says in a card by how many points, with the interval, and what it took more or why that is not known', async () => {
  const first = { ...comparedReport('a'), usd: 0.5, seconds_per_task: 10 };
  const second = { ...comparedReport('b'), usd: 12, seconds_per_task: 18.9 };
  const none = { usd_times: null, usd_reason: 'no price', seconds_times: null, seconds_reason: 'no time' };
  const card = async (effort: ComparedReport['effort']) => {
    await open('#/compare?reports=a,b', PAIR, 45, (ids) => ({
      ...view(ids),
      reports: [first, effort ? { ...second, effort } : second],
    }));
    return text('[data-conclusion="b"]').trim();
  };
  const taken = await card({ usd_times: 24, usd_reason: null, seconds_times: 1.89, seconds_reason: null });
  expect(taken).toContain('B >better than the baseline A');
  expect(taken).toContain('+20.0 points [+8.0, +32.0] 24 × the cost +89 % time');
  expect(await card(none)).toContain('cost —no price time —no time');
  // An engine that does not say it is not made to say 0.
  expect(await card(undefined)).not.toContain('cost');
});

it('draws the differences to the baseline, with their numbers and how many tests each p is corrected with', async () => {
  await open('#/compare?reports=a,b,c');
  expect(cells('[data-effect="B"]')).toBe('B |  | +20.0 [+8.0, +32.0] | ▲better than the baseline 0.0003 2 tests');
  expect(document.querySelectorAll('[data-effect]')).toHaveLength(1);
  expect(document.querySelector('#effects svg')?.getAttribute('aria-hidden')).toBe('true');
});

it('changes the baseline from its list', async () => {
  await open('#/compare?reports=a,b,c');
  const baseline = document.querySelector<HTMLSelectElement>('#baseline');
  if (baseline) baseline.value = 'c';
  baseline?.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
  expect(parsePlace(location.hash).query['reports']).toBe('c,a,b');
});

it('folds the tests until they are asked for', async () => {
  const tests = () => document.querySelector<HTMLDetailsElement>('[data-tests]');
  await open('#/compare?reports=a,b');
  expect(tests()?.open).toBe(false);
  await open('#/compare?reports=a,b&pair=b&open=metrics');
  expect(tests()?.open).toBe(true);
  expect(text('[data-family="metrics"] thead')).toContain('Holm p (Metrics: 2 tests)');
});

it('has nothing that a checker of accessibility finds fault with', async () => {
  await open('#/compare?reports=a,b,c');
  // The page around the screen has the landmarks.
  expect(await violations('region')).toEqual([]);
});

it('folds the tables of tests, says of each what it comes to, and keeps in the address which are open', async () => {
  await open('#/compare?reports=a,b');
  const table = () => document.querySelector<HTMLDetailsElement>('[data-family="metrics"]');
  expect(table()?.open).toBe(false);
  expect(text('[data-family="metrics"] summary')).toContain(
    '◀ A better: 0 · ▶ B better: 1 · ＝ no significant difference: 1 · not tested: 1',
  );
  const one = table();
  if (one) one.open = true;
  one?.dispatchEvent(new Event('toggle'));
  await settle();
  expect(parsePlace(location.hash).query['open']).toBe('metrics');
  await open('#/compare?reports=a,b&open=metrics,levels');
  expect(table()?.open).toBe(true);
});
