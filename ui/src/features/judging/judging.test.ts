import { mount, unmount } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createClient } from '../../ipc/client';
import type {
  BlindAnswer,
  LabAskPlan,
  LabAgreement,
  LabAskRequest,
  LabEstimate,
  LabPanel,
  LabRequest,
  LabView,
  ModelSummary,
  QueueEstimate,
  QueueReveal,
  QueueSummary,
  QueueView,
} from '../../ipc/gen';
import { createFake } from '../../platform/fake';
import type { Platform } from '../../platform/types';
import HostForTests from '../../shared/HostForTests.svelte';
import { parsePlace, route } from '../../shared/route.svelte';
import { settle } from '../../shared/settleForTests';
import { bump } from './bump';
import Screen from './Screen.svelte';

const value = (number: number): LabEstimate => ({
  value: number,
  reason: null,
  low: number - 0.1,
  high: number + 0.1,
  no_interval: null,
});
const none = (reason: string): LabEstimate => ({ value: null, reason, low: null, high: null, no_interval: null });

const panel = (
  kind: LabPanel['kind'],
  judge: string | null,
  sr: [number, number],
  ranks: [number, number],
): LabPanel => ({
  kind,
  judge,
  judges: judge ? [judge] : ['j/a', 'j/b'],
  reason: null,
  values: [
    {
      measure: 'composite',
      values: [null, null],
      reasons: ['the level was not evaluated', 'the level was not evaluated'],
      ranks: [null, null],
    },
    { measure: 'sr', values: sr, reasons: [null, null], ranks },
  ],
});

const LAB: LabView = {
  runs: [
    { id: 'x/20251219_000001', model: 'x', questions: 4, tasks: 2, reports: [] },
    { id: 'y/20251219_000002', model: 'y', questions: 4, tasks: 2, reports: [] },
  ],
  left_out: [
    {
      id: 'z_20251219',
      reason: 'the logs of this run are not in the workspace; import them to see more than the report holds',
    },
  ],
  scorer: 'leaderboard',
  coverage: [
    {
      judge: 'j/a',
      complete: true,
      few: false,
      questions: 8,
      answered: 8,
      failed: 0,
      missing: 0,
      metrics: [{ metric: 'SR', questions: 8, answered: 8, failed: 0, missing: 0 }],
      open: [0, 0],
      own_kind: ['x'],
    },
    {
      judge: 'j/c',
      complete: false,
      few: true,
      questions: 8,
      answered: 5,
      failed: 1,
      missing: 2,
      metrics: [{ metric: 'SR', questions: 8, answered: 5, failed: 1, missing: 2 }],
      open: [3, 0],
      own_kind: [],
    },
  ],
  together: ['j/a', 'j/b'],
  agreement: [
    {
      metrics: ['SR'],
      yes_no: true,
      questions: 5,
      tasks: 2,
      percent: value(0.8),
      fleiss: none('it takes three judges or more'),
      alpha: value(0.4),
      pairs: [{ one: 'j/a', other: 'j/c', questions: 5, percent: value(0.8), kappa: value(0.4) }],
    },
  ],
  effect: {
    panels: [
      panel('judge', 'j/a', [0.75, 0.5], [1, 2]),
      panel('judge', 'j/b', [0.25, 0.5], [2, 1]),
      {
        kind: 'judge',
        judge: 'j/c',
        judges: ['j/c'],
        reason: 'j/c has answered 5 of the 8 questions of these runs; judge the missing ones',
        values: [],
      },
      panel('mean', null, [0.25, 0.5], [2, 1]),
    ],
    taus: [
      { measure: 'sr', one: 0, other: 1, runs: 2, tau: -1, reason: null },
      { measure: 'sr', one: 0, other: 3, runs: 2, tau: -1, reason: null },
      { measure: 'sr', one: 1, other: 3, runs: 2, tau: 1, reason: null },
    ],
  },
  flips: [
    {
      run: 1,
      level: 'L1',
      task: 'L1-002',
      metric: 'SR',
      together: false,
      tie: true,
      judges: [
        { judge: 'j/a', yes: true },
        { judge: 'j/b', yes: false },
      ],
    },
  ],
  disagreements: 3,
  notes: [],
};

const SUMMARY: QueueSummary = {
  id: 'abc',
  by: 'Mina',
  runs: ['x/20251219_000001'],
  questions: 3,
  answered: 0,
  made_at: '2026-01-01T00:00:00Z',
  revealed_at: null,
  applied_at: null,
  seed: 0,
  draw: null,
};
const QUEUE: QueueView = {
  queue: SUMMARY,
  questions: [
    { number: 1, metric: 'SR', yes_no: true, inputs: [{ kind: 'instruction', text: '첫 요청' }], answer: null },
    { number: 2, metric: 'RefRecall', yes_no: false, inputs: [{ kind: 'conversation', text: '대화' }], answer: null },
    { number: 3, metric: 'EffScore', yes_no: true, inputs: [{ kind: 'golden', text: '[]' }], answer: null },
  ],
};
const scale = { questions: 2, percent: value(0.5), kappa: value(0.1), alpha: value(0.1) };
const REVEAL: QueueReveal = {
  queue: { ...SUMMARY, revealed_at: '2026-01-02T00:00:00Z' },
  judges: [{ judge: 'j/a', questions: 2, distance: 0.125, closest: true, yes_no: scale, grades: scale }],
  questions: [
    {
      number: 1,
      run: 'x/20251219_000001',
      model: 'x',
      task: 'L1-001',
      metric: 'SR',
      judges: [{ judge: 'j/a', success: true, score: null }],
      answer: { success: false, score: null, unsure: false, note: '' },
      weight: 1,
      disagreement: 1,
      effect: 1,
      swaps: 1,
    },
  ],
  reason: null,
};

const few = 'the judge has not answered all';
const ESTIMATE: QueueEstimate = {
  queue: { ...SUMMARY, draw: { metric: 'SR', probability: 0.5, of: 90 } },
  metric: 'SR',
  counted: 45,
  unsure: 2,
  behind: 3,
  runs: [
    {
      run: 'x/20251219_000001',
      model: 'x',
      questions: 90,
      answers: 45,
      human: { value: 0.46, low: 0.32, high: 0.61 },
      reason: null,
      judges: [
        { judge: 'j/a', judged: 0.7, corrected: { value: 0.54, low: 0.43, high: 0.66 }, lambda: 0.4, reason: null },
        { judge: 'j/b', judged: null, corrected: null, lambda: null, reason: few },
      ],
    },
  ],
};

const PLAN: LabAskPlan = {
  runs: ['x'],
  judges: [{ judge: 'j/c', known: 5, calls: 9, prompt_tokens: 900, completion_tokens: 90, usd: null }],
  usd: null,
  from: 'the questions',
};
const MODELS: ModelSummary = {
  id: 'lab/',
  kind: 'server',
  default_base_url: null,
  needs_base_url: false,
  needs: [],
  connection: { name: 'lab', provider: 'vllm', base_url: 'http://127.0.0.1:9/v1', models: ['judge-1'] },
};

let shown: ReturnType<typeof mount> | undefined;
let said: [number, BlindAnswer | null][] = [];
let asked: LabAskRequest[] = [];
let looked: LabRequest[] = [];
let lab = LAB;
let applied: string[] = [];
let brought: string[] = [];
let made: [string | null, number | null][] = [];
/** What the queue was drawn of; null for the disputed ones. */
let draw: QueueSummary['draw'] = null;

beforeEach(() => {
  [said, asked, applied, brought, looked, made] = [[], [], [], [], [], []];
  draw = null;
  lab = LAB;
  localStorage.setItem('koab.language', 'en');
  vi.useFakeTimers();
});
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = undefined;
  document.body.replaceChildren();
  vi.useRealTimers();
});

async function open(address: string, host: Partial<Platform> = {}): Promise<void> {
  route.place = parsePlace(address);
  const platform = createFake({
    host,
    answers: {
      queue_import: ({ path }) => {
        brought.push(path);
        return { queue: SUMMARY, taken: 2, empty: 1 };
      },
      judge_lab: ({ request }) => {
        looked.push(request);
        return lab;
      },
      queues_list: () => ({ queues: [SUMMARY], unreadable: [] }),
      queue_open: () => ({ ...QUEUE, queue: { ...SUMMARY, draw } }),
      queue_answer: ({ number, answer }) => {
        said.push([number, answer]);
        return SUMMARY;
      },
      queue_reveal: () => ({ ...REVEAL, queue: { ...REVEAL.queue, draw } }),
      queue_make: ({ request }) => {
        made.push([request.metric, request.most]);
        return QUEUE;
      },
      queue_estimate: () => ESTIMATE,
      queue_apply: ({ by }) => {
        applied.push(by);
        return { applied: 1, left: 0, refused: [] };
      },
      judge_again_plan: ({ request }) => {
        if (request.judges.includes('nosuch/x')) throw { code: 'bad_request', message: '`nosuch` is not a provider' };
        return PLAN;
      },
      models_list: () => [MODELS],
      judge_again: ({ request }) => {
        asked.push(request);
        return { stopped: false, answered: 9, failed: 0, notes: [] };
      },
    },
  });
  shown = mount(HostForTests, {
    target: document.body,
    props: { host: { platform, client: createClient(platform) }, shown: Screen, props: {} },
  });
  await settle();
}

const text = () => document.body.textContent?.replace(/\s+/g, ' ') ?? '';
const press = async (code: string, key = code, more: KeyboardEventInit = {}) => {
  window.dispatchEvent(new KeyboardEvent('keydown', { code, key, bubbles: true, cancelable: true, ...more }));
  await settle();
};
const click = async (what: string) => {
  document.querySelector<HTMLElement>(what)?.click();
  await settle();
};

it('lists verdicts that depend on the judge, explains ties, and leaves judges out of all', async () => {
  await open('#/judging?reports=a,b&measure=sr');
  const flip = document.querySelector('[data-flip="L1-002"]');
  expect(flip?.querySelector('a')?.getAttribute('href')).toBe('#/runs/y%2F20251219_000002/L1-002');
  expect(flip?.textContent?.replace(/\s+/g, ' ')).toContain('no (tie)yes');
  expect(document.querySelector('[data-tie]')?.textContent).toContain('a tie counts as no');
  expect(document.querySelector('[data-judge="j/c"]')).toBeNull();
  expect(text()).toContain('1 judge answered less than half of the questions.');
  await click('[data-few-toggle]');
  const box = (judge: string) => document.querySelector<HTMLInputElement>(`[data-judge="${judge}"] input`);
  expect([box('j/a')?.checked, box('j/c')?.checked]).toEqual([true, false]);
  expect(document.querySelector('[data-judge="j/c"] [data-few]')).not.toBeNull();
  expect(text()).toContain('j/c answered 5 of 8 questions, less than half');
  box('j/a')?.click();
  await settle();
  box('j/c')?.click();
  await settle();
  expect(route.place.query).toMatchObject({ without: 'j/a', with: 'j/c' });
  expect(looked.at(-1)).toMatchObject({ without: ['j/a'], with: ['j/c'] });
});

it('shows who judged what, how far judges agree and what each does to ranks', async () => {
  await open('#/judging?reports=a,b&measure=sr');
  expect(text()).toContain('j/a is from the same vendor as x');
  expect(text()).toContain('the logs of this run are not in the workspace');
  expect(document.querySelector('#agreement')?.textContent).toContain('[70.0 %, 90.0 %]');
  const row = document.querySelector('[data-panel="judge j/b"]')?.textContent?.replace(/\s+/g, ' ');
  expect(row).toContain('0.2500 #2');
  expect(row).toContain('1.000');
  expect(document.querySelector('[data-panel="judge j/c"]')).toBeNull();
  await click('[data-few-toggle]');
  expect(document.querySelector('[data-panel="judge j/c"]')?.textContent).toContain(
    'has answered 5 of the 8 questions',
  );
});

it('agreement is judge by judge for one metric, in words where there is no κ, and the rest on demand', async () => {
  const pair = (one: string, other: string, kappa: LabEstimate) => ({
    one,
    other,
    questions: 5,
    percent: value(0.8),
    kappa,
  });
  const zero: LabEstimate = { value: 0, reason: null, low: 0, high: 0, no_interval: null };
  const sr = {
    ...LAB.agreement[0]!,
    pairs: [
      pair('j/a', 'j/b', value(0.4)),
      pair('j/a', 'j/d', zero),
      pair('j/b', 'j/d', none('every answer is the same, so chance explains the agreement')),
    ],
  };
  const mixed = {
    ...sr,
    metrics: ['SR', 'ArgAcc'] as LabAgreement['metrics'],
    yes_no: null,
    pairs: sr.pairs.map((one) => ({ ...one, kappa: none('yes or no and grades have no scale in common') })),
  };
  lab = { ...LAB, agreement: [sr, mixed] };
  await open('#/judging?reports=a,b');
  const cell = (one: string, other: string) =>
    document
      .querySelector(`[data-agreement="${one}"] [data-with="${other}"]`)
      ?.textContent?.replace(/\s+/g, ' ')
      .trim();
  expect(cell('j/b', 'j/a')).toBe('0.400 [0.300, 0.500] 4 of 5 equal');
  expect(cell('j/a', 'j/b')).toBe(cell('j/b', 'j/a'));
  expect(cell('j/a', 'j/d')).toBe('—, one judge always answers the same 4 of 5 equal');
  expect(cell('j/b', 'j/d')).toContain('—, every answer is the same');
  expect(document.querySelector<HTMLDetailsElement>('[data-every]')?.open).toBe(false);
  const select = document.querySelector<HTMLSelectElement>('#agreement-metric');
  if (select) select.value = 'all';
  select?.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
  expect(route.place.query).toMatchObject({ agree: 'all' });
  // One reason for all pairs is said once.
  expect(cell('j/a', 'j/b')).toBe('— 4 of 5 equal');
  expect(document.querySelector('[data-no-kappa]')?.textContent).toContain('no scale in common');
});

const chips = () => [...document.querySelectorAll<HTMLElement>('[data-chip]')].map(({ dataset }) => dataset['chip']);

it('plans before it asks, and asks what was planned', async () => {
  await open('#/judging?runs=x&measure=sr&few=1');
  await click('[data-complete="j/c"]');
  expect(chips()).toEqual(['j/c']);
  await vi.advanceTimersByTimeAsync(300);
  await settle();
  expect(document.querySelector('[data-plan]')?.textContent).toContain('9');
  expect(asked).toEqual([]);
  document.querySelector<HTMLFormElement>('#ask-again')?.requestSubmit();
  await settle();
  expect(asked.map(({ judges, of }) => [judges, of.runs])).toEqual([[['j/c'], ['x']]]);
  expect(text()).toContain('9 usable answers, 0 failed.');
});

it('takes a judge from the connections, and says why one is refused before anything is asked', async () => {
  await open('#/judging?runs=x&measure=sr');
  await click('#judge-again');
  await click('#ask-judges');
  const options = [...document.querySelectorAll<HTMLElement>('[role="option"]')].map(({ dataset }) => dataset['value']);
  expect(options).toEqual(['azure/gpt-4.1-mini', 'lab/judge-1']);
  await click('[data-value="lab/judge-1"]');
  expect(chips()).toEqual(['lab/judge-1']);
  const names = document.querySelector<HTMLInputElement>('#ask-judges');
  if (names) names.value = 'nosuch/x';
  names?.dispatchEvent(new Event('input', { bubbles: true }));
  names?.dispatchEvent(new FocusEvent('blur'));
  await settle();
  await vi.advanceTimersByTimeAsync(300);
  await settle();
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('`nosuch` is not a provider');
  expect(document.querySelector<HTMLButtonElement>('#ask-start')?.disabled).toBe(true);
  expect(asked).toEqual([]);
});

it('a review is answered by keys, also under a Korean layout, and taken back', async () => {
  await open('#/judging/queue/abc');
  expect(text()).toContain('첫 요청');
  // A syllable that is being composed answers nothing.
  await press('KeyY', 'ㅛ', { isComposing: true });
  expect(said).toEqual([]);
  await press('KeyY', 'ㅛ');
  expect(said.at(-1)).toEqual([1, { success: true, score: null, unsure: false, note: '' }]);
  expect(document.querySelector('[data-question]')?.getAttribute('data-question')).toBe('2');
  await press('KeyN', 'n');
  expect(said).toHaveLength(1);
  await press('Digit4', '4');
  expect(said.at(-1)?.[1]?.score).toBe(4);
  await press('Backspace');
  expect(said.at(-1)).toEqual([2, null]);
  expect(document.querySelector('[data-question]')?.getAttribute('data-question')).toBe('2');
  await press('KeyS', 's');
  expect(document.querySelector('[data-question]')?.getAttribute('data-question')).toBe('3');
  await press('KeyU', 'u');
  expect(said.at(-1)?.[1]?.unsure).toBe(true);
  expect(text()).toContain('2 of 3 answered');
});

it('reveals only after a question, and applies by choice', async () => {
  await open('#/judging/queue/abc');
  expect(document.querySelector<HTMLButtonElement>('#reveal')?.disabled).toBe(true);
  await press('KeyN', 'n');
  await click('#reveal');
  expect(text()).toContain('End the blind review?');
  await click('[data-answer="confirm"]');
  expect(text()).toContain('closest');
  await click('#apply');
  await click('[data-answer="confirm"]');
  expect(applied).toEqual(['Mina']);
  expect(text()).toContain('1 answer applied as overrides');
});

it('takes back a file that a reviewer filled in', async () => {
  await open('#/judging', { pick: async () => ['/mail/judge-queue.csv'] });
  await click('#queue-bring');
  expect(brought).toEqual(['/mail/judge-queue.csv']);
  expect(text()).toContain(`${SUMMARY.id}: 2 answers imported, 1 empty line`);
});

it('ranks are drawn with the first at the top', () => {
  const option = bump(
    ['a', 'b'],
    [
      { name: 'x', ranks: [1, 2] },
      { name: 'y', ranks: [2, 1] },
    ],
    'Rank',
    ['#000000'],
  );
  expect(option.yAxis).toMatchObject({ inverse: true, min: 1, max: 2 });
  expect(option.series).toHaveLength(2);
});

it('draws a random queue of one metric', async () => {
  await open('#/judging?runs=x&measure=sr');
  const select = document.querySelector<HTMLSelectElement>('#queue-metric');
  if (select) select.value = 'SR';
  select?.dispatchEvent(new Event('change', { bubbles: true }));
  await settle();
  const by = document.querySelector<HTMLInputElement>('#queue-by');
  if (by) by.value = 'Mina';
  by?.dispatchEvent(new Event('input', { bubbles: true }));
  await settle();
  await click('#queue-make');
  expect(made).toEqual([['SR', 60]]);
});

it.each([true, false])('shows the corrected score beside the judged one, for a random queue only', async (isRandom) => {
  draw = isRandom ? { metric: 'SR', probability: 0.5, of: 90 } : null;
  await open('#/judging/queue/abc');
  expect(document.querySelector('[data-random]') !== null).toBe(isRandom);
  await press('KeyN', 'n');
  await click('#reveal');
  await click('[data-answer="confirm"]');
  const row = document.querySelector('[data-corrected="j/a"]')?.textContent?.replace(/\s+/g, ' ');
  if (!isRandom) {
    expect(row).toBeUndefined();
    return;
  }
  expect(row).toContain('j/a0.70000.5400 [0.4300, 0.6600]0.4600 [0.3200, 0.6100]0.400');
  expect(text()).toContain('45 answers used; 90 questions to draw from, chance 50.0 % each, seed 0');
  expect(text()).toContain('Question 46 has no answer, so the 3 answers after it cannot be used');
  expect(text()).toContain('2 unsure answers');
  expect(text()).toContain(`—: ${few}`);
  expect(text()).not.toContain('contains only disagreements');
});
