import { beforeEach, expect, it } from 'vitest';
import type { AtlasAttempt, AtlasExport, AtlasFinding, AtlasView, Level } from '../../ipc/gen';
import { parsePlace, route } from '../../shared/route.svelte';
import { openScreen, screensForTests, settle } from '../../shared/screenForTests';
import type { OwnRule } from './ownRules.svelte';
import Screen from './Screen.svelte';

const finding = (change: Partial<AtlasFinding>): AtlasFinding => ({
  cause: 'no_call',
  call: null,
  step: null,
  tool: null,
  argument: null,
  expected: null,
  found: null,
  quote: null,
  metrics: ['CallEM'],
  ...change,
});

const attempt = (source: number, level: Level, task: string, findings: AtlasFinding[] | null): AtlasAttempt => ({
  source,
  level,
  task,
  sorted: {
    state: findings === null ? 'clean' : 'lossy',
    losses: findings === null ? [] : [{ metric: 'CallEM', value: 0, best: 1, lost: 1, unreachable: null }],
    unscored: [],
    findings: findings ?? [],
    lost: findings === null ? 0 : 1,
    explained: findings && findings.length > 0 ? 1 : 0,
  },
});

const source = (id: string, run: string | null) => ({
  id,
  is_report: true,
  model: `m/${id}`,
  run,
  scorer: 'leaderboard' as const,
  judged: true,
  skipped: 0,
  why_not: null as string | null,
});

const VIEW: AtlasView = {
  items: [],
  sources: [source('a', 'a/20251219_113310'), source('b', null)],
  causes: [
    { id: 'asked_back', owner: 'model', needs: 'verdicts' },
    { id: 'no_call', owner: 'model', needs: 'log' },
    { id: 'wrong_argument', owner: 'model', needs: 'log' },
    { id: 'judge_split', owner: 'judge', needs: 'verdicts' },
  ],
  attempts: [
    attempt(0, 'L1', 'L1-001', [
      finding({
        cause: 'wrong_argument',
        call: 1,
        step: 2,
        tool: 'Search',
        argument: 'query',
        expected: '가',
        found: '나',
      }),
      finding({ cause: 'judge_split', found: '1/3' }),
    ]),
    attempt(0, 'L1', 'L1-002', null),
    attempt(0, 'L3', 'L3-001', [finding({ cause: 'asked_back', quote: '알려주시면' }), finding({})]),
    attempt(1, 'L1', 'L1-001', []),
  ],
};

let asked: string[][] = [];
let exported: AtlasExport[] = [];

screensForTests();
beforeEach(() => {
  [asked, exported] = [[], []];
});

async function open(address: string, view: AtlasView = VIEW, rules: OwnRule[] = []): Promise<void> {
  await openScreen(Screen, {
    at: address,
    props: { rules },
    answers: {
      find_update: () => null,
      find_attempts: ({ queries, runs }) => ({
        pending: 0,
        queries: queries.map((query) => ({
          fault: query.startsWith('toool') ? 'there is no field toool' : null,
          attempts: runs.flatMap((run) => [
            { run, task: 'L1-001', repetition: 1 },
            { run, task: 'L3-001', repetition: 2 },
          ]),
        })),
      }),
      atlas: ({ ids }) => {
        asked.push(ids);
        return view;
      },
      atlas_export: (given) => {
        exported.push(given.export);
        return { name: 'atlas.csv', media: 'text/csv', text: 'x', beside: [] };
      },
    },
  });
}

const text = () => document.body.textContent?.replace(/\s+/g, ' ') ?? '';
const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].map(({ dataset }) => dataset['row']);
const press = async (selector: string) => {
  document.querySelector<HTMLElement>(selector)?.click();
  await settle();
};
const cell = (label: string) => document.querySelector<HTMLElement>(`[aria-label^="${label}"]`);

it('says how to begin without reports, and asks nothing', async () => {
  await open('#/atlas');
  expect(text()).toContain('Choose reports to see why points were lost.');
  expect(asked).toEqual([]);
});

it('counts attempts by their first cause and shows those of a cell, without asking again', async () => {
  await open('#/atlas?reports=a,b&by=level');
  expect(text()).toMatch(
    /Attempts that lost points ?3 of \d+.*Of these, unclassified ?1 of 3.*No loss ?1.*Explained ?66\.7\s?% of points/,
  );
  expect(cell('Gave an argument a wrong value, L1')?.textContent).toBe('1');
  expect(cell('Judges gave different verdicts')).toBeNull();
  expect(rows()).toEqual(['0 L1 L1-001', '0 L3 L3-001', '1 L1 L1-001']);
  cell('Gave an argument a wrong value, L1')?.click();
  await settle();
  expect(route.place.query).toMatchObject({ cause: 'wrong_argument', level: 'L1' });
  expect(rows()).toEqual(['0 L1 L1-001']);
  expect(text()).not.toContain('found 나');
  await press('[data-evidence="L1-001"]');
  expect(document.querySelector('[data-evidence="L1-001"]')?.getAttribute('aria-expanded')).toBe('true');
  expect(text()).toContain('call 2 Search · query · found 나 · expected 가');
  cell('Unclassified, L1')?.click();
  await settle();
  expect(rows()).toEqual(['1 L1 L1-001']);
  expect(asked).toEqual([['a', 'b']]);
});

it('counts every cause when asked to, and only those that are a judge’s doing', async () => {
  await open('#/atlas?reports=a,b&by=model&any=1');
  await press('[data-owner="judge"]');
  expect(route.place.query).toMatchObject({ owner: 'judge' });
  expect(cell('Judges gave different verdicts, m/a')?.textContent).toBe('1');
  expect(cell('Gave an argument a wrong value')).toBeNull();
  expect(rows()).toEqual(['0 L1 L1-001']);
});

it('counts lost points by the first cause that explains them, and shows the attempts that lost them', async () => {
  await open('#/atlas?reports=a,b&by=level');
  expect(cell('Unclassified, Attempts')?.textContent).toMatch(/1\s+33 %/);
  await press('[data-counting="points"]');
  expect(route.place.query).toMatchObject({ count: 'points' });
  expect(cell('Gave an argument a wrong value, Lost points')?.getAttribute('aria-label')).toContain(
    'Lost points: 1.0 33 %',
  );
  // The votes explain nothing that the argument does not.
  expect(cell('Judges gave')).toBeNull();
  expect(document.querySelector('[data-owner="model"]')?.textContent).toMatch(/2\.0\s+67 %/);
  cell('Gave an argument a wrong value, L1')?.click();
  await settle();
  expect(rows()).toEqual(['0 L1 L1-001']);
});

it('walks the map by keys and opens the transcript at the call that shows the cause', async () => {
  await open('#/atlas?reports=a,b&by=level');
  const first = document.querySelector<HTMLElement>('[data-cell="0-0"]');
  first?.focus();
  first?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
  await settle();
  expect(document.activeElement?.getAttribute('data-cell')).toBe('1-0');
  const place = parsePlace(document.querySelector('[data-row="0 L1 L1-001"] a')?.getAttribute('href') ?? '');
  expect([place.rest, place.query]).toEqual([['a/20251219_113310', 'L1-001'], { report: 'a', call: '1' }]);
});

it('says why a report cannot be sorted, and saves what is shown', async () => {
  const view = { ...VIEW, sources: [VIEW.sources[0]!, { ...source('b', null), why_not: 'no logs' }] };
  await open('#/atlas?reports=a,b&by=level&level=L1&cause=wrong_argument', view);
  expect(text()).toContain('b: no logs');
  const menu = document.querySelector<HTMLElement>('[data-save-menu]');
  menu?.focus();
  menu?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  await settle();
  await press('[data-export="csv"]');
  expect(exported).toEqual([
    { ids: ['a', 'b'], format: 'csv', by: 'level', levels: ['L1'], causes: ['wrong_argument'], language: 'en' },
  ]);
});

it('the tiles count the attempts of the chosen level and report', async () => {
  const tiles = () => document.querySelector('[data-summary]')?.textContent?.replace(/\s+/g, ' ').trim();
  await open('#/atlas?reports=a,b&by=level&level=L3');
  expect(tiles()).toMatch(/^Attempts 1 ?Attempts that lost points 1 of 1/);
  route.put({ level: '', of: '1' });
  await settle();
  expect(tiles()).toMatch(/^Attempts 1 ?Attempts that lost points 1 of 1.*Of these, unclassified 1 of 1/);
});

it('counts the attempts that a saved search matches, and shows them alone', async () => {
  const rules = [
    { name: 'prices', query: 'tool:StockPrice_ls' },
    { name: 'broken', query: 'toool:x' },
  ];
  await open('#/atlas?reports=a,b&by=level', VIEW, rules);
  const rule = (name: string) => document.querySelector<HTMLButtonElement>(`[data-own-rule="${name}"]`)!;
  // Of the report with a run alone, and of its first repetition.
  expect(rule('prices').textContent).toMatch(/prices\s+1\s+33 %/);
  expect(rule('broken').disabled).toBe(true);
  expect(rule('broken').title).toBe('there is no field toool');
  await press('[data-own-rule="prices"]');
  expect(route.place.query).toMatchObject({ rule: 'prices' });
  expect(rows()).toEqual(['0 L1 L1-001']);
  await press('#reset');
  expect(rows()).toHaveLength(3);
});
