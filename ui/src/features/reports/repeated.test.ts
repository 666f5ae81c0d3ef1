import { mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Component } from 'svelte';
import { createClient } from '../../ipc/client';
import type { AttemptMark, ReferenceStanding, RepeatedFigure, RepeatedTaskView, RepetitionsView } from '../../ipc/gen';
import { createFake, type FakeOptions } from '../../platform/fake';
import HostForTests from '../../shared/HostForTests.svelte';
import ReferenceIntake from '../../shared/reports/ReferenceIntake.svelte';
import { locale } from '../../shared/locale.svelte';
import { at, route } from '../../shared/route.svelte';
import { settle } from '../../shared/settleForTests';
import Among from './Among.svelte';
import { shareOf, stateOf } from './repeated';
import Strip from './Strip.svelte';

const mark = (repetition: number, success: number | null, more: Partial<AttemptMark> = {}): AttemptMark => ({
  repetition,
  made: true,
  answered: true,
  kept: true,
  success,
  why: null,
  ...more,
});
const TASK: RepeatedTaskView = {
  level: 'L1',
  task: 'L1-001',
  attempts: [
    mark(1, 1),
    mark(2, 0, { why: 'the server is gone' }),
    mark(3, null, { why: 'no judge was asked' }),
    mark(4, null, { made: false, kept: false, why: 'this attempt was not run' }),
  ],
};

let mounted: ReturnType<typeof mount> | undefined;

beforeEach(() => {
  locale.choose('en');
  vi.useFakeTimers();
});
afterEach(async () => {
  if (mounted) await unmount(mounted);
  mounted = undefined;
  vi.useRealTimers();
});

async function show(
  shown: Component<never>,
  props: object,
  answers: FakeOptions['answers'] = {},
  host: FakeOptions['host'] = {},
): Promise<void> {
  if (mounted) await unmount(mounted);
  const platform = createFake({ answers, host });
  mounted = mount(HostForTests, {
    target: document.body,
    props: { host: { platform, client: createClient(platform) }, shown, props } as never,
  });
  await settle();
}

const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
const words = (element: Element | null | undefined) => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

describe('a strip of attempts', () => {
  it('marks each attempt, says why one has no score, and leads to its transcript', async () => {
    await show(Strip as Component<never>, { task: TASK, run: 'm/1', report: 'r' });
    expect(words(document.querySelector('[data-strip]'))).toBe('✓✗?·');
    expect(all('[data-strip] > *').map((one) => one.getAttribute('aria-label'))).toEqual([
      'attempt 1: success',
      'attempt 2: failure: the server is gone',
      'attempt 3: unscored: no judge was asked',
      'attempt 4: not run: this attempt was not run',
    ]);
    expect(all('[data-strip] a').map((one) => one.getAttribute('href'))).toEqual(
      ['1', '2', '3'].map((repetition) => at('runs', 'm/1', 'L1-001', { report: 'r', repetition })),
    );
  });

  it('leads nowhere without the logs', async () => {
    await show(Strip as Component<never>, { task: TASK, run: null, report: 'r' });
    expect(words(document.querySelector('[data-strip]'))).toBe('✓✗?·');
    expect(all('[data-strip] a')).toEqual([]);
  });

  it('is sorted by what was judged alone', () => {
    expect(TASK.attempts.map(stateOf)).toEqual(['success', 'failure', 'unscored', 'missing']);
    expect(shareOf(TASK)).toBe(0.5);
    expect(shareOf({ ...TASK, attempts: [mark(1, null)] })).toBeNull();
  });
});

const figure = (k: number, value: number): RepeatedFigure => ({
  k,
  value,
  reason: null,
  range: { interval: { low: value - 0.1, high: value + 0.1, method: 'bootstrap' }, reason: null },
  tasks: 2,
  left_out: 0,
});
const VIEW: RepetitionsView = {
  reason: null,
  planned: 2,
  first_only: false,
  scopes: [null, 'L1' as const].map((level) => ({
    level,
    tasks: 2,
    metrics: [
      {
        metric: 'SR',
        mean: figure(1, 0.75),
        runs: [1, 0.5],
        pass_at: [figure(1, 0.75), figure(2, 1)],
        pass_all: [figure(1, 0.75), figure(2, 0.5)],
        disagreement: { tasks: ['L1-001'], of: 2, share: 0.5, reason: null, range: { interval: null, reason: 'x' } },
      },
    ],
  })),
  tasks: [TASK],
};

describe('what attempts tell', () => {
  beforeEach(() => history.replaceState(null, '', '#/reports/r?tab=repetitions'));

  it('stands with both ends of every interval, and tasks that disagree are named', async () => {
    const { default: RepetitionsTab } = await import('./RepetitionsTab.svelte');
    const stop = route.begin();
    await show(RepetitionsTab as Component<never>, { report: { row: { id: 'r' } }, view: VIEW, run: 'm/1' });
    expect(all('#passes tbody tr').map(words)).toEqual([
      '10.7500 [0.650, 0.850]0.7500 [0.650, 0.850]2',
      '21.0000 [0.900, 1.100]0.5000 [0.400, 0.600]2',
    ]);
    expect(words(document.querySelector('#disagreement'))).toContain('1 of 2 = 0.5000');
    expect(words(document.querySelector('[data-strips]'))).toContain('L1-001');
    expect(words(document.querySelector('[data-scope="L1"] [data-metric="SR"] [data-runs]'))).toBe('1.00000.5000');
    stop();
  });

  it('is a reason where there was one attempt', async () => {
    const { default: RepetitionsTab } = await import('./RepetitionsTab.svelte');
    await show(RepetitionsTab as Component<never>, {
      report: { row: { id: 'r' } },
      view: { ...VIEW, reason: 'each task was attempted once' },
      run: null,
    });
    expect(words(document.querySelector('#no-repetitions'))).toBe('each task was attempted once');
  });
});

const point = (id: string, value: number | null, own = false) => ({
  id,
  model: id,
  own,
  value,
  reason: value === null ? 'no judge was asked' : null,
  range: {
    interval: value === null ? null : { low: value - 0.1, high: value + 0.1, method: 'wilson' as const },
    reason: null,
  },
});
const STANDING: ReferenceStanding = {
  references: 3,
  measures: [
    {
      measure: 'SR',
      rank: 2,
      of: 2,
      reason: null,
      reading: null,
      points: [point('a', 0.9), point('mine', 0.8, true), point('b', null)],
    },
  ],
  caveats: ['they have different judges: one; another'],
  left_out: [{ id: 'c', model: 'c', reason: 'has other levels or another number of tasks' }],
};

describe('among the published models', () => {
  it('a report has its place, its line and a way to compare', async () => {
    await show(Among as Component<never>, { standing: STANDING, id: 'mine' });
    expect(words(document.querySelector('caption'))).toBe('Success rate (SR), all tasks: 2nd of 2');
    expect(words(document.querySelector('[aria-current]'))).toContain('mine (this report) 0.8000 [0.700, 0.900]');
    expect(all('.line .range').length).toBe(2);
    expect(document.querySelector('[data-compare]')?.getAttribute('href')).toBe(at('compare', { reports: 'mine,a,b' }));
    expect(words(document.querySelector('details'))).toContain('c: has other levels or another number of tasks');
  });

  it('nothing is shown without a set', async () => {
    await show(Among as Component<never>, { standing: STANDING, id: 'mine' });
    expect(all('[data-among]')).toHaveLength(1);
    // What is left out and why would stand there with a table.
    await show(Among as Component<never>, { standing: { ...STANDING, references: 0, measures: [] }, id: 'mine' });
    expect(all('[data-among]')).toEqual([]);
    expect(words(document.body)).toBe('');
  });
});

describe('taking in the reference set', () => {
  it('asks once and says what came', async () => {
    const taken = vi.fn(() => ({
      id: 'i',
      items: [
        {
          what: 'report',
          source: 'reports/a',
          id: 'a',
          model: 'a',
          levels: [],
          outcome: 'added',
          reason: null,
          notes: [],
        },
      ],
      left_alone: 2,
      cancelled: false,
      seconds: 0,
    }));
    await show(ReferenceIntake as Component<never>, {}, { import_references: taken } as FakeOptions['answers'], {
      pick: async () => ['/checkout'],
    });
    document.querySelector<HTMLElement>('#reference-folder')?.click();
    await settle();
    expect(taken).toHaveBeenCalledWith({ paths: ['/checkout'] });
    expect(document.body.textContent).toContain('1 report in the reference set.');
  });
});
