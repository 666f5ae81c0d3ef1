// The form of a new run with the scope Adaptive: what it would take, and how it begins.
import { expect, it, vi } from 'vitest';
import type { AdaptiveOutlook, Commands, DryRun } from '../ipc/gen';
import { JOB } from '../features/adaptive/adaptive.fixture';
import { FakeJobs } from '../platform/fakeJobs';
import { MODELS, PACKS } from '../platform/fakeData';
import { route } from '../shared/route.svelte';
import { close, find, openScreen, put, screensForTests, settle, text } from '../shared/screenForTests';
import { newDraft, keepDraft, type Scope } from '../features/runs/form/draft';
import RunDrawer from './RunDrawer.svelte';

screensForTests();

const OUTLOOK: AdaptiveOutlook = {
  pack: 'starter@1.0.0',
  items: 40,
  expected: 10,
  models: ['a/b', 'c/d', 'e/f', 'g/h'],
};
const ESTIMATE = { calls: 400, prompt_tokens: 1000, completion_tokens: 1000, usd: 8, minutes: 40, from: 'a run' };
const RUN = { model: 'openai_compat/m', attempts: 40, levels: [], judges: [], estimate: ESTIMATE } as unknown as DryRun;
const REFUSED = { code: 'bad_request', message: '0 reports of other models' } as const;

const UNREACHABLE = { code: 'model_unreachable', message: 'nothing answers there' } as const;
const unreachable = (): never => {
  throw UNREACHABLE;
};

type Plan = () => Commands['adaptive_plan']['answer'];
const refuse: Plan = () => {
  throw REFUSED;
};

/** Opens the form with that scope; `maxCost` is the budget of its run. */
async function open(
  adaptive_plan: Plan,
  {
    maxCost = null as number | null,
    score = true,
    busy = false,
    scope = 'adaptive' as Scope,
    at = '#/runs?new=1',
    run_estimate = () => RUN,
    adaptive_start = (): string => '7',
    jobs = new FakeJobs(),
  } = {},
) {
  const server = MODELS.find(({ kind }) => kind === 'server')!;
  const draft = newDraft(PACKS, [server]);
  for (const row of draft.models) Object.assign(row, { name: 'm', baseUrl: 'http://localhost:1/v1' });
  keepDraft({ ...draft, scope, score, maxCost });
  const session = {
    packs: PACKS,
    models: [server],
    queue: { busy },
    starting: null,
    failed: vi.fn(),
    start: vi.fn(),
    usePack: vi.fn(),
  };
  await openScreen(RunDrawer as never, {
    at,
    props: { session, onClose: vi.fn() },
    jobs,
    answers: { adaptive_plan, run_estimate, adaptive_start },
  });
  await rested();
  return session;
}
/** What is typed comes to rest, and is planned. */
const rested = async (): Promise<void> => {
  for (let time = 0; time < 12; time += 1) await settle();
};
const estimate = () => find('[data-estimate]')?.textContent ?? null;

it('shows what the planned part takes, and holds the budget against that', async () => {
  await open(() => OUTLOOK, { maxCost: 3 });
  expect(find('[data-expected]')?.dataset['expected']).toBe('10');
  expect(estimate()).toContain('$2.00');
  expect(text()).not.toContain('exceeds the budget');
  await open(() => OUTLOOK, { maxCost: 1 });
  expect(text()).toContain('exceeds the budget');
});

it('says what an adaptive run is until its plan says what this one is', async () => {
  await open(refuse);
  expect(text()).toContain('the most informative tasks');
  await open(() => OUTLOOK);
  expect(text()).not.toContain('the most informative tasks');
  expect(text()).toContain('About 10 of 40 tasks');
});

it('shows no cost while nobody knows which part is taken', async () => {
  await open(refuse);
  expect(find('[data-adaptive-plan] [role="alert"]')?.textContent).toContain('0 reports');
  expect(estimate()).toBeNull();
});

it('says once what refuses plan and estimate alike', async () => {
  await open(refuse, { run_estimate: refuse as never });
  expect(text().split('0 reports of other models')).toHaveLength(2);
});

it('offers no choice of scoring, and asks who judges, whatever was chosen for other scopes', async () => {
  await open(() => OUTLOOK, { score: false });
  expect([find('#score-after'), find('#judges') !== null]).toEqual([null, true]);
  expect(find('[data-unjudged-note]')?.dataset['unjudgedNote']).toBe('unjudged');
  find('input[name="scope"][value="levels"]')?.click();
  await rested();
  expect([find('#score-after') !== null, find('#judges')]).toEqual([true, null]);
});

it('shows a plan beside the width that it is for', async () => {
  let expected = 10;
  await open(() => ({ ...OUTLOOK, expected }));
  expect(find('[data-expected]')?.textContent).toContain('±3.0');
  expected = 4;
  await put('#half-width', '10');
  expect(find('[data-expected]')?.textContent).toMatch(/About 10 of .* ±3\.0/);
  await rested();
  expect(find('[data-expected]')?.textContent).toMatch(/About 4 of .* ±10\.0/);
});

const start = async (): Promise<void> => {
  find('#run')?.click();
  await settle();
};

it('leads to the page of what has begun', async () => {
  const session = await open(() => OUTLOOK);
  await start();
  expect([location.hash, session.failed.mock.calls]).toEqual(['#/adaptive/7', []]);
});

it('says beside the draft why it does not begin, until the draft is another', async () => {
  await open(() => OUTLOOK, { adaptive_start: unreachable });
  await start();
  expect(text()).toContain('nothing answers there');
  await put('#half-width', '5');
  expect(text()).not.toContain('nothing answers there');
});

it('takes nobody away who has left the form meanwhile, and tells a refusal where they are', async () => {
  for (const [adaptive_start, told] of [
    [() => '7', []],
    [unreachable, [[UNREACHABLE]]],
  ] as const) {
    const session = await open(() => OUTLOOK, { adaptive_start });
    find('#run')?.click();
    const left = close();
    route.go('#/packs');
    await left;
    await settle();
    expect([location.hash, session.failed.mock.calls]).toEqual(['#/packs', told]);
  }
});

it('opens with the scope that the address asks for, once', async () => {
  await open(() => OUTLOOK, { scope: 'levels', at: '#/runs?new=1&scope=adaptive' });
  expect(find<HTMLInputElement>('input[value="adaptive"]')?.checked).toBe(true);
  expect(location.hash).toBe('#/runs?new=1');
});

it('offers no start beside another run, adaptive run or sweep', async () => {
  await open(() => OUTLOOK, { busy: true });
  expect([find('[data-barred]') !== null, find('#run')]).toEqual([true, null]);
  const jobs = new FakeJobs();
  await open(() => OUTLOOK, { jobs });
  expect([find('[data-barred]'), find('#run') !== null]).toEqual([null, true]);
  jobs.tell(JOB);
  await settle();
  expect([find('[data-barred]') !== null, find('#run')]).toEqual([true, null]);
  find('input[name="scope"][value="levels"]')?.click();
  await settle();
  expect(find('#run')).not.toBeNull();
});
