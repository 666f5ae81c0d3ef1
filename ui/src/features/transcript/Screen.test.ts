import { flushSync } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { locale } from '../../shared/locale.svelte';
import { at, route } from '../../shared/route.svelte';
import { openScreen, screensForTests, settle } from '../../shared/screenForTests';
import { attempt, call, said, task, transcript } from './example';
import Screen from './Screen.svelte';
import SideBySide from './SideBySide.svelte';

screensForTests();
beforeEach(() => locale.choose('en'));

const asked = vi.fn();
const WRONG = call(
  'CarRoute_tmap',
  { startX: 2, extra: true },
  {
    source: 'injected',
    owner: 'task',
    error: 'Request timeout',
    beside: [
      { name: 'startX', golden: 1, given: 2, state: 'wrong' },
      { name: 'endX', golden: 3, given: null, state: 'missing' },
      { name: 'extra', golden: null, given: true, state: 'extra' },
    ],
  },
);

async function open(shown = transcript(attempt([WRONG], '**40분** 걸립니다.')), id = 'L1-001'): Promise<void> {
  await openScreen(Screen, {
    at: at('runs', 'm/1', id),
    props: { run: 'm/1', task: id },
    answers: {
      run_tasks: () => [task('L1-001'), task('L1-002'), task('L2-001')],
      transcript: (args) => {
        asked(args);
        return { ...shown, task: args.task };
      },
      verdicts_of_task: () => said([]),
      task_flags: () => ({ 'L1-001': { note: '답이 둘', flagged_at: '2026-11-20T00:00:00Z' } }),
      transcript_raw: () => ({ log: { task_id: 'L1-001', tool_calls: [] }, attempt: null }),
    },
  });
}

const text = (selector: string) => document.querySelector(selector)?.textContent?.replace(/\s+/g, ' ').trim();
const click = (selector: string) => {
  document.querySelector<HTMLElement>(selector)?.click();
  flushSync();
};
const press = (code: string, init: KeyboardEventInit = {}) => {
  dispatchEvent(new KeyboardEvent('keydown', { code, key: code, bubbles: true, cancelable: true, ...init }));
  flushSync();
};

it('nothing is missing or lost of a task that is under way', async () => {
  const shown = { ...transcript(attempt([WRONG], '')), under_way: true, attempt_is_scored: false };
  shown.golden = [
    ...shown.golden,
    { kind: 'call', tool: 'Later', arguments: {}, step: null, seeded: false, call: null },
  ];
  await open(shown);
  expect(text('[data-part="evidence"]')).toContain('Later not called yet');
  expect(text('[data-part="evidence"]')).not.toContain('missing');
  expect(text('[data-part="evidence"]')).not.toContain('keeps nothing');
});

describe('a transcript', () => {
  it('shows calls beside the golden ones with every difference marked', async () => {
    await open();
    const states = [...document.querySelectorAll<HTMLElement>('[data-argument]')].map((row) => [
      row.dataset['argument'],
      row.dataset['state'],
      row.textContent?.replace(/\s+/g, ' ').trim(),
    ]);
    expect(states).toEqual([
      ['startX', 'wrong', expect.stringContaining('wrong value')],
      ['endX', 'missing', expect.stringContaining('missing')],
      ['extra', 'extra', expect.stringContaining('extra')],
    ]);
    expect(text('[data-source]')).toBe('injected failure');
    expect(text('[data-fault]')).toContain('Failure required by the task: Request timeout');
    expect(document.querySelector('[data-turn] strong')?.textContent).toBe('40분');
  });

  it('of a task that is flagged as faulty says so at its head', async () => {
    await open();
    // The pack is known with the transcript, and its flags are asked for then.
    await settle();
    expect(text('[data-flag]')).toBe('Flagged: 답이 둘 Show task');
    await open(transcript(attempt([WRONG], '')), 'L1-002');
    await settle();
    expect(document.querySelector('[data-flag]')).toBeNull();
  });

  it('says why it scored so, and leads to the calls that decided', async () => {
    await open();
    expect(text('[data-metric="SR"]')).toBe('SR1 — no judge was asked');
    click('[data-metric="CallEM"] button');
    expect(text('[data-why]')).toContain('exactly the golden arguments');
    expect(document.querySelector('[data-effect="against"]')).not.toBeNull();
    click('[data-looked] button');
    expect(document.activeElement?.id).toBe('call-0');
    click('[data-metric="SR"] button');
    expect(text('[data-verdict]')).toContain('azure/gpt-4.1-mini');
    expect(text('[data-verdict] [data-reason]')).toBe('요청을 충족한다.');
  });

  it('of an agent says what it did beside its steps, and of a model nothing of the kind', async () => {
    const asked = { model_calls: 4, side_calls: 1, own_calls: 3, unmade: 0, changed: 2, by_agent: 0 };
    const agent = {
      attempts: 1,
      asked: { ...asked, own_tools: [{ name: 'shell', calls: 3 }] },
      startup_s: 1.25,
      hosts: ['chatgpt.com'],
      hosts_of_run: true,
      after_end: 1,
      outlived: 0,
      unread: 0,
    };
    await open(transcript({ ...attempt([WRONG], '답'), agent }));
    const facts = [...document.querySelectorAll('[data-conduct] dd')].map((fact) => fact.textContent?.trim());
    expect(facts).toEqual(['3 (shell 3)', '2', '1', '1', 'chatgpt.com (this attempt or another)', '1.3 s']);
    expect(text('[data-conduct]')).not.toContain('never made');
    await open(transcript({ ...attempt([WRONG], '답'), agent: { ...agent, asked: null, hosts: null } }));
    expect(text('[data-conduct]')).toContain('Calls of its own tools unknown: it asks its own model');
    await open(transcript(attempt([WRONG], '답')));
    expect(document.querySelector('[data-conduct]')).toBeNull();
  });

  it('says what a full context did not show the model', async () => {
    const shown = attempt([WRONG], '답');
    const first = shown.turns.find(({ timing }) => timing !== null)?.timing;
    if (first) first.left_out = { tool_results: 2, exchanges: 0, room: 7168 };
    await open(transcript(shown));
    const notes = [...document.querySelectorAll('[role=note]')].map((note) => note.textContent ?? '');
    expect(notes.filter((note) => /7,168 tokens.* 2 of the oldest/.test(note))).toHaveLength(1);
  });

  it('shows what a model of this application wrote', async () => {
    const shown = attempt([WRONG], '답');
    const first = shown.turns.find(({ timing }) => timing !== null)?.timing;
    if (first) first.written = '<tool_call>{"name": "A"}</tool_call>';
    await open(transcript(shown));
    expect(text('[data-written] pre')).toBe('<tool_call>{"name": "A"}</tool_call>');
    expect(document.querySelectorAll('[data-written]')).toHaveLength(1);
  });

  it('shows no number where the server reported none, and why', async () => {
    await open();
    expect(text('[data-turn][data-step="1"]')).toContain('1,200 in, — out');
    expect(text('dl')).toContain('Output tokens —The server reported no tokens.');
  });

  it('of an attempt that has not ended says so', async () => {
    await open(transcript(null, { metrics: [], repetitions: [{ repetition: 1, status: 'waiting', kept: false }] }));
    expect(text('[data-part="conversation"]')).toContain('This attempt has not ended yet.');
    expect(text('[data-part="evidence"]')).toContain('Nothing to score yet.');
  });

  it('can be seen as it stands in the files', async () => {
    await open();
    expect(text('[data-part="conversation"]')).not.toContain('task_id');
    click('#raw');
    await settle();
    expect(location.hash).toBe(at('runs', 'm/1', 'L1-001', { raw: '1' }));
    expect(text('[data-part="conversation"]')).toContain('task_id');
  });
});

describe('walking through the tasks', () => {
  const here = () => route.place.rest[1];

  it('goes by j and k, whatever the layout, and not while something is typed', async () => {
    await open();
    press('KeyJ', { key: 'ㅓ' });
    expect(here()).toBe('L1-002');
    press('KeyJ', { isComposing: true });
    expect(here()).toBe('L1-002');
    press('KeyJ', { ctrlKey: true });
    expect(here()).toBe('L1-002');
    press('KeyK');
    // The page still shows the first task: the app gives it the next one.
    expect(document.querySelector('#previous')?.hasAttribute('disabled')).toBe(true);
  });

  it('follows the filter', async () => {
    await open();
    const select = document.querySelector<HTMLSelectElement>('#filter-level')!;
    select.value = 'L2';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    flushSync();
    expect(route.place).toMatchObject({ rest: ['m/1', 'L2-001'], query: { level: 'L2' } });
  });

  it('Esc leads back to the run', async () => {
    await open();
    press('Escape', { key: 'Escape' });
    await settle();
    expect(route.place.rest).toEqual(['m/1']);
  });
});

it('two transcripts stand beside each other, differences marked', async () => {
  const left = transcript(attempt([WRONG], '하나'));
  const right = transcript(attempt([], '둘'), { model: 'other' });
  await openScreen(SideBySide, { props: { left, right } });
  const rows = [...document.querySelectorAll<HTMLElement>('[data-state]:is(li)')].map((row) => row.dataset['state']);
  expect(rows).toEqual(['same', 'only_left', 'text']);
  expect(text('section > .muted')).toBe('2 of 3 rows differ');
});
