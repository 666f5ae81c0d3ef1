import { mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Component } from 'svelte';
import { createClient } from '../../ipc/client';
import type {
  Caveat,
  Commands,
  Comparability,
  JudgeAgreement,
  LevelReport,
  PeoplesWord,
  ReferenceStanding,
  RepetitionsView,
  ReportDetail,
  ReportFacts,
  ReportRow,
} from '../../ipc/gen';
import { createFake, type FakeOptions } from '../../platform/fake';
import { COMPARABILITY } from '../../platform/fakeComparability';
import { deletions } from '../../shared/deletions.svelte';
import HostForTests from '../../shared/HostForTests.svelte';
import { locale } from '../../shared/locale.svelte';
import { passing, REPORT_FILTERS } from '../../shared/reports/filter';
import { REPORT_ROW } from '../../shared/reports/row.fixture';
import { route } from '../../shared/route.svelte';
import { settle } from '../../shared/settleForTests';
import { IMPORTED } from './caveats';
import Screen from './Screen.svelte';
import { parseTags } from '../../shared/tags';

const ROW: ReportRow = {
  ...REPORT_ROW,
  id: 'azure_gpt-4o_20251219',
  model: 'azure/gpt-4o',
  judges: ['azure/gpt-4.1-mini'],
  composite: 0.5678,
  success: 0.5,
  success_range: { interval: { low: 0.0945, high: 0.9055, method: 'wilson' }, reason: null },
  levels: [{ level: 'L1', score: 0.75, reason: null }],
  tasks: 2,
  unscored: 1,
  comparability: 'limited',
  comparability_reason: 'the judges are not known: nobody said',
  tags: ['기준'],
};
const OWN: ReportRow = {
  ...ROW,
  id: 'mine_20261120-120000',
  model: 'lab/mine',
  date: '20261120_120000',
  pack: 'starter@1.0.0',
  protocol: 'corrected',
  origin: 'made',
  composite: null,
  composite_reason: 'L1 ArgAcc: no judge was asked',
  comparability: 'not_comparable',
  comparability_reason: 'the tasks of pack starter@1.0.0 are not the published ones',
  tags: [],
};
const NO_RANGE = { interval: null, reason: 'one task tells nothing about the spread' };
const LEVEL: LevelReport = {
  level: 'L1',
  tasks: 2,
  evaluated: 2,
  score: 0.75,
  reason: null,
  range: { interval: { low: 0.5, high: 1, method: 'bootstrap' }, reason: null },
  metrics: [
    {
      metric: 'SR',
      mean: null,
      overridden: null,
      reason: '1 of 2 tasks are unscored: no judge was asked',
      range: NO_RANGE,
      scored: 1,
      errored: 0,
      unscored: 1,
      not_applicable: 0,
      reasons: ['no judge was asked (1)'],
    },
    {
      metric: 'ToolAcc',
      mean: 0.5,
      overridden: null,
      reason: null,
      range: { interval: { low: 0.0945, high: 0.9055, method: 'wilson' }, reason: null },
      scored: 2,
      errored: 0,
      unscored: 0,
      not_applicable: 0,
      reasons: [],
    },
  ],
  usage: {
    steps: 4,
    calls: 2,
    tokens: null,
    prompt_tokens: null,
    completion_tokens: null,
    seconds: 1.5,
    ttft: null,
    ttft_min: null,
    ttft_max: null,
    tps: null,
  },
  skipped: [],
};
const DETAIL: ReportDetail = {
  row: ROW,
  id: ROW.id,
  model: ROW.model,
  scorer: ROW.scorer,
  judges: [],
  execution_date: '20251219',
  cache_hits: null,
  overrides: [],
  folder: '/w/reports/azure_gpt-4o_20251219',
  files: ['json'],
  evaluation_date: '2025-12-19T13:48:07',
  sample: null,
  votes: 3,
  aggregate: 'mean',
  composites: [
    {
      variant: 'flat_report',
      reading: 'over the published metrics',
      value: 0.5678,
      reason: null,
      range: NO_RANGE,
      overridden: null,
      parts: [],
    },
    {
      variant: 'flat_seed',
      reading: 'all documented metrics',
      value: null,
      reason: 'L3 ProvAcc: the report does not have it',
      range: NO_RANGE,
      overridden: null,
      parts: [],
    },
  ],
  overall: [
    {
      metric: 'SR',
      value: null,
      reason: 'L1: 1 of 2 tasks are unscored: no judge was asked',
      range: NO_RANGE,
      tasks: null,
    },
    {
      metric: 'RRR',
      value: 0.5,
      reason: null,
      range: { interval: { low: 0.0945, high: 0.9055, method: 'wilson' }, reason: null },
      tasks: 2,
    },
  ],
  repeated: false,
  levels: [LEVEL],
  tasks: [
    { level: 'L1', task: 'L1-001', answered: true, scores: [{ metric: 'ToolAcc', value: 1, why: null }] },
    { level: 'L1', task: 'L1-002', answered: false, scores: [{ metric: 'ToolAcc', value: 0, why: null }] },
  ],
  agreement: [],
  notes: ['the run is incomplete', { text: IMPORTED, args: { 0: 'x', day: '2026-12-01' } }],
};
const caveat = (code: Caveat['code'], aspect: Caveat['aspect']): Caveat => ({
  code,
  aspect,
  grade: 'limited',
  place: '',
  reason: `${aspect} of it`,
  remedy: '',
});
const JUDGED: Comparability = {
  ...COMPARABILITY,
  leaderboard: {
    grade: 'limited',
    findings: [caveat('other_judges', 'judges'), caveat('not_known', 'tasks'), caveat('not_known', 'tools')],
  },
};
const NOBODY: ReferenceStanding = { references: 0, measures: [], caveats: [], left_out: [] };
const ONCE: RepetitionsView = {
  reason: 'one attempt per task; run each task three times or more to see how far attempts vary',
  planned: 1,
  first_only: false,
  scopes: [],
  tasks: [],
};
const FACTS: ReportFacts = {
  run: { id: 'azure_gpt-4o/20251219_113310', pack: null, protocol: null },
  reason: null,
  tasks: [{ level: 'L1', task: 'L1-001', seconds: 2, ttft: 0.5, tokens: 100, steps: 2, calls: 1 }],
  cost: { usd: 0.1234, computed: true, reason: null },
  other: {
    scorer: 'corrected',
    reason: null,
    questions: 3,
    unanswered: 2,
    levels: [{ level: 'L1', metrics: [{ metric: 'ToolAcc', value: 1, reason: null }] }],
    composites: [],
    differences: [{ id: 'x', metrics: ['ToolAcc'], leaderboard: 'counts so', corrected: 'counts otherwise' }],
  },
  people: null,
};

let mounted: ReturnType<typeof mount> | undefined;
let stop: () => void;
const called = vi.fn();

beforeEach(() => {
  locale.choose('en');
  called.mockReset();
  vi.useFakeTimers();
  history.replaceState(null, '', '#/reports');
  stop = route.begin();
});
afterEach(async () => {
  if (mounted) await unmount(mounted);
  mounted = undefined;
  deletions.close();
  stop();
  vi.useRealTimers();
});

async function open(
  address: string,
  answers: FakeOptions['answers'] = {},
  host: FakeOptions['host'] = {},
): Promise<void> {
  if (mounted) await unmount(mounted);
  route.go(address, { replace: true });
  const listening: FakeOptions['answers'] = {
    reports_library: () => [ROW, OWN],
    report_detail: () => DETAIL,
    report_facts: () => FACTS,
    report_remark: (args: Commands['report_remark']['args']) => (called('remark', args), ROW),
    report_delete: ({ id }) => (called('delete', id), { key: `${id}~1`, unremoved: [] }),
    trash_list: () => ({ items: [], days: 30 }),
    report_export: ({ format }) => ({ name: `r.${format}`, media: 'text/html', text: `<${format}>`, beside: [] }),
    report_standing: () => NOBODY,
    report_repetitions: () => ONCE,
    other_instructions: ({ ids }) => ids.map((report) => ({ report, run: null, pack: null, compared: 0, tasks: [] })),
    ...answers,
  };
  const platform = createFake({ answers: listening, host });
  const props = { host: { platform, client: createClient(platform) }, shown: Screen as Component<never>, props: {} };
  mounted = mount(HostForTests, { target: document.body, props });
  // With a frame: what the run behind a report adds is asked for once the report itself is painted.
  await settle();
}

const text = (selector: string) => document.querySelector(selector)?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const rows = () => [...document.querySelectorAll<HTMLElement>('[data-row]')].map(({ dataset }) => dataset['row']);

/** Presses an item of the menu of a report. */
async function choose(selector: string): Promise<void> {
  const trigger = document.querySelector<HTMLElement>('[data-report-menu]');
  trigger?.focus();
  trigger?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  await settle();
  await click(selector);
}

async function click(selector: string): Promise<void> {
  document.querySelector<HTMLElement>(selector)?.click();
  await settle();
}

describe('the library', () => {
  it('lists every report, and says why one has no composite', async () => {
    await open('#/reports');
    expect(rows()).toEqual([ROW.id, OWN.id]);
    expect(text(`[data-row="${ROW.id}"] [data-column="composite"]`)).toBe('0.5678');
    expect(text(`[data-row="${OWN.id}"] [data-column="composite"]`)).toContain('no judge was asked');
  });

  it('keeps its filters in the address', async () => {
    await open('#/reports?tag=%EA%B8%B0%EC%A4%80');
    expect(rows()).toEqual([ROW.id]);
    await open('#/reports?protocol=corrected');
    expect(rows()).toContain(OWN.id);
  });

  it('says how far each can be compared, and finds those that can', async () => {
    await open('#/reports');
    const badge = `[data-row="${OWN.id}"] [data-column="comparability"] [data-grade]`;
    expect(text(badge)).toBe('Comparable to leaderboard: not comparable');
    expect(document.querySelector(badge)?.getAttribute('title')).toContain('are not the published ones');
    await open('#/reports?grade=limited');
    expect(rows()).toEqual([ROW.id]);
  });

  it('is searched by words and filters in one field, which the address keeps', async () => {
    await open('#/reports');
    const field = document.querySelector<HTMLInputElement>('search input')!;
    field.focus();
    field.value = 'Judge:4.1-mini 날짜>=2026-01-01 ';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.blur();
    await settle();
    expect(route.place.query).toEqual({ judge: 'azure/gpt-4.1-mini', from: '2026-01-01' });
    expect(rows()).toEqual([OWN.id]);
    expect(text('.toolbar [role="status"]:not([data-ticked])')).toBe('1 of 2');
  });

  it('keeps ticks through a filter, and says how many it hides', async () => {
    await open(`#/reports?reports=${ROW.id},${OWN.id}&protocol=corrected`);
    expect(rows()).toEqual([OWN.id]);
    expect(text('[data-ticked]')).toBe('2 selected, 1 of them not shown');
    await click('[data-delete]');
    expect(text('[role="alertdialog"]')).toContain('1 of them not shown by the filter.');
    await open(`#/reports/${ROW.id}`);
    expect(document.querySelector('[data-head] a')?.getAttribute('href')).toBe(
      `#/reports?reports=${encodeURIComponent(`${ROW.id},${OWN.id}`)}&protocol=corrected`,
    );
    await open(`#/reports?reports=${ROW.id},${OWN.id}`);
    await click('[data-untick]');
    expect(route.place.query).toEqual({});
  });

  it('leads from a report to a comparison with others, the ticked ones proposed', async () => {
    await open(`#/reports?reports=${OWN.id}`);
    const link = document.querySelector<HTMLAnchorElement>(`[data-compare-with="${ROW.id}"]`);
    expect(link?.getAttribute('href')).toBe(`#/compare?reports=${encodeURIComponent(`${ROW.id},${OWN.id}`)}&choose=1`);
    expect(link?.getAttribute('aria-label')).toBe('Compare azure/gpt-4o, 2025-12-19, with…');
  });

  it('says what to do when there is nothing', async () => {
    await open('#/reports', { reports_library: () => [] });
    expect(text('main, body')).toContain('Score a run on the Runs screen');
  });

  it('deletes after a question and takes it back', async () => {
    await open('#/reports');
    await click(`[data-row="${ROW.id}"] input`);
    const remove = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Delete');
    remove?.click();
    await settle();
    expect(called).not.toHaveBeenCalled();
    const sure = [...document.querySelectorAll<HTMLElement>('[role="alertdialog"] button')].find(
      (button) => button.textContent?.trim() === 'Delete',
    );
    sure?.click();
    await settle();
    expect(called).toHaveBeenCalledWith('delete', ROW.id);
    expect(deletions.all).toEqual([{ kind: 'report', key: `${ROW.id}~1`, name: ROW.model }]);
  });
});

describe('a report', () => {
  it('names the reading of its composite, and shows no number where there is none', async () => {
    await open(`#/reports/${ROW.id}`);
    expect(text('[data-variant="flat_report"]')).toContain('0.5678');
    expect(text('[data-variants] [data-metric="flat_seed"]')).toContain('the report does not have it');
    expect(text('[data-reading="flat_report"]')).toContain('ProvAcc and ReuseRate left out');
    expect(document.body.textContent).not.toMatch(/flat_|levelmean_/);
    // A number that is not there has no place among those that lead.
    expect(document.querySelector('[data-headline] [data-overall]')).toBeNull();
  });

  it('says its caveats in one chip, which opens the list of them', async () => {
    await open(`#/reports/${ROW.id}`, { report_comparability: () => JUDGED });
    expect(text('[data-caveats]')).toMatch(/^3 caveats/);
    expect(document.querySelector('[data-notes]')).toBeNull();
    await click('[data-caveats]');
    expect(document.querySelector('[data-caveats]')?.getAttribute('aria-expanded')).toBe('true');
    expect(text('[data-notes]')).toContain('the run is incomplete');
    // What the logs do not say is one caveat, however much it is.
    expect(text('[data-notes] [data-not-known]')).toContain('not recorded: tasks, tool descriptions');
    expect(text('[data-notes]')).not.toContain('imported from');
    expect(document.body.textContent).toContain('imported from x on 2026-12-01');
  });

  it('that is published says so, and its silence is no caveat', async () => {
    const row = { ...ROW, reference: true };
    const detail = { ...DETAIL, row, notes: [] };
    await open(`#/reports/${ROW.id}`, { report_detail: () => detail, report_comparability: () => JUDGED });
    expect(text('[data-head] [data-grade]')).toBe('published');
    expect(text('[data-caveats]')).toMatch(/^1 caveat /);
    expect(text('#comparability [data-grade]')).toBe('published');
    await open('#/reports', { reports_library: () => [row] });
    expect(text('[data-row] [data-grade]')).toBe('published');
  });

  it('of one level that was not judged says why, and shows no dash as its number', async () => {
    const composites = DETAIL.composites.map((row) => ({ ...row, value: null, reason: 'no L2' }));
    const levels = [{ ...LEVEL, score: null, reason: 'no judge was asked' }];
    await open(`#/reports/${ROW.id}`, { report_detail: () => ({ ...DETAIL, composites, levels }) });
    expect(text('[data-headline]')).not.toContain('—');
    expect(text('[data-no-number]')).toBe('Level score: no value: no judge was asked');
  });

  it('has its place among the published, and sets its levels against a baseline', async () => {
    const before = { ...ROW, id: 'before', date: '20251218', pack: 'p@1', protocol: 'leaderboard' as const };
    const own = { ...before, id: ROW.id, date: '20251219', levels: ROW.levels };
    const other = { ...before, id: 'other', model: 'b', date: '20251217', pack: null, reference: true };
    const standing: ReferenceStanding = {
      ...NOBODY,
      references: 1,
      measures: [{ measure: 'flat_report', reading: null, rank: 2, of: 3, reason: null, points: [] }],
    };
    const detail = ({ id }: { id: string }): ReportDetail => ({
      ...DETAIL,
      id,
      row: id === ROW.id ? own : { ...own, id },
      levels: [{ ...LEVEL, score: id === ROW.id ? 0.75 : id === 'before' ? 0.7 : 0.8 }],
    });
    const answers: FakeOptions['answers'] = {
      report_detail: detail,
      reports_library: () => [own, before, other, OWN],
      report_standing: () => standing,
    };
    await open(`#/reports/${ROW.id}`, answers);
    expect(text('[data-variant="flat_report"] [data-place]')).toBe('2nd of 3');
    // The last one of the same model under the same conditions, unless another one is chosen.
    const offered = [...document.querySelectorAll<HTMLOptionElement>('[data-baseline] option')].map(
      ({ value }) => value,
    );
    expect(offered).toEqual(['', 'before', 'other']);
    expect(text('[data-level="L1"] [data-delta]')).toBe('+0.0500');
    await open(`#/reports/${ROW.id}?base=other`, answers);
    expect(text('[data-level="L1"] [data-delta]')).toBe('−0.0500');
    expect(document.querySelector('[data-compare]')?.getAttribute('href')).toBe(
      `#/compare?reports=${encodeURIComponent(`other,${ROW.id}`)}`,
    );
    await open(`#/reports/${ROW.id}?base=none`, answers);
    expect(document.querySelector('[data-delta]')).toBeNull();
  });

  it('is deleted from its menu after a question, which leads to the list', async () => {
    const asked = vi.fn(() => FACTS);
    await open(`#/reports/${ROW.id}`, { report_facts: asked });
    await choose('[data-delete]');
    expect(called).not.toHaveBeenCalled();
    await click('[data-answer="confirm"]');
    expect(called).toHaveBeenCalledWith('delete', ROW.id);
    // What is gone is asked for no more.
    expect(asked).toHaveBeenCalledOnce();
    expect(deletions.all).toEqual([{ kind: 'report', key: `${ROW.id}~1`, name: ROW.model }]);
    expect(location.hash).toBe('#/reports');
  });

  it('of one level leads with its score where there is no composite', async () => {
    const composites = DETAIL.composites.map((row) => ({ ...row, value: null, reason: 'no L2' }));
    await open(`#/reports/${ROW.id}`, { report_detail: () => ({ ...DETAIL, composites }) });
    expect(text('[data-level-score="L1"]')).toMatch(/^L1 · Level score/);
    expect(document.querySelector('[data-variant]')).toBeNull();
    expect(document.body.textContent).toContain('no L2');
  });

  it('says beside its headline number how far it can be compared, and why below', async () => {
    await open(`#/reports/${ROW.id}`);
    expect(text('[data-head] [data-grade]')).toBe('Comparable to leaderboard: partly');
    expect(document.querySelector('[data-head] [data-grade]')?.getAttribute('title')).toContain('nobody said');
    expect(text('#comparability [data-grade]')).toContain('not comparable');
    expect(text('#comparability [data-aspect="tasks"]')).toBe(
      'not comparable the tasks of pack starter@1.0.0 are not the published ones → Import the published repository and run with that pack.',
    );
    expect(text('#comparability [data-aspect="recordings"]')).toMatch(/^note 3 of 44 calls/);
    const whole = [...document.querySelectorAll('[data-calls] [data-level="all"] > *')].map((cell) => cell.textContent);
    expect(whole).toEqual(['All', '93.2 %', '41', '3', '8', '0', '2 of 6']);
    expect(text('#comparability details')).toContain('L1-002 PlaceSearch_kakao {"keyword":"국밥"}');
    expect(text('#comparability dl')).toContain('at most 10 model turns · 60 s per task');
  });

  it('puts the scorers side by side with what moved the metric', async () => {
    await open(`#/reports/${ROW.id}?tab=metrics`);
    const cells = [...document.querySelectorAll('[data-metric="ToolAcc"] > *')].map((cell) =>
      cell.textContent?.replace(/\s+/g, ' ').trim(),
    );
    expect(cells.slice(0, 4)).toEqual(['ToolAcc', '0.5000 [0.095, 0.905]', '1.0000', '+0.5000']);
    expect(document.querySelector('[data-moved]')?.getAttribute('title')).toContain('counts otherwise');
    expect(text('[data-metric="SR"]')).toContain('no judge was asked (1)');
    expect(document.body.textContent).toContain('2 of 3 questions of the other scorer');
  });

  it('shows how far judges agree, with the reason where there is no figure', async () => {
    const none = { value: null, reason: 'it takes three judges or more' };
    const row: JudgeAgreement = {
      metrics: ['EffScore'],
      compared: 'judges',
      scale: 'yes_no',
      judges: ['a', 'b'],
      questions: 3,
      answers: 6,
      missing: 1,
      percent: { value: 2 / 3, reason: null },
      cohen: [{ one: 'a', other: 'b', kappa: { value: 0.4, reason: null } }],
      fleiss: none,
      krippendorff: { value: 0.4444, reason: null },
    };
    const alone: JudgeAgreement = { ...row, metrics: ['SR'], judges: ['a'], percent: none };
    const told = (agreement: JudgeAgreement[]) => ({ report_detail: () => ({ ...DETAIL, agreement }) });
    await open(`#/reports/${ROW.id}?tab=judges`, told([row]));
    const cells = [...document.querySelectorAll('#agreement-judges tbody tr > *')].map((cell) =>
      cell.textContent?.trim(),
    );
    expect(cells).toEqual(['EffScore', '3', '1', '66.7 %', '0.400', '—it takes three judges or more', '0.444']);
    await open(`#/reports/${ROW.id}?tab=judges`, told([alone]));
    expect(document.querySelector('#agreement-judges')).toBeNull();
    expect(document.body.textContent).toContain('Only one judge');
  });

  it('puts people’s word behind the mean as judged, and says whose it is', async () => {
    const people: PeoplesWord = {
      overrides: [
        {
          run: 'r',
          task: 'L1-002',
          metric: 'ToolAcc',
          judge: null,
          success: true,
          score: null,
          by: '김',
          why: '맞다',
          at: '2026-11-21T10:00:00Z',
          applies: true,
        },
      ],
      levels: [{ level: 'L1', metrics: [{ metric: 'ToolAcc', value: 0.75, reason: null }] }],
      composites: [
        {
          variant: 'flat_report',
          reading: 'over the published metrics',
          value: 0.6,
          reason: null,
          overridden: null,
          parts: [],
        },
      ],
      notes: [],
    };
    const answers = { report_facts: () => ({ ...FACTS, people }) };
    await open(`#/reports/${ROW.id}?tab=metrics`, answers);
    expect(text('[data-metric="ToolAcc"] [data-mean]')).toBe('0.5000 [0.095, 0.905] with human overrides:→ 0.7500');
    expect(text('[data-metric="SR"] [data-mean]')).not.toContain('people');
    expect(text('[data-variant="flat_report"]')).toContain('→ 0.6000');
    await open(`#/reports/${ROW.id}?tab=judges`, answers);
    expect(text('#people tbody tr')).toMatch(/L1-002ToolAccyesall judges김.*2026.*맞다/);
    expect(document.querySelector('#people a')?.getAttribute('href')).toContain(`/L1-002?report=${ROW.id}`);
  });

  it('says why the other scorer is missing when the logs are', async () => {
    const other = { ...FACTS.other, reason: 'the logs are not here', levels: [] };
    await open(`#/reports/${ROW.id}?tab=metrics`, { report_facts: () => ({ ...FACTS, other }) });
    expect(document.body.textContent).toContain('the logs are not here');
  });

  it('shows what was not measured as a dash', async () => {
    await open(`#/reports/${ROW.id}?tab=usage`);
    expect(text('#usage [data-level="L1"]')).toContain('—not measured');
    expect(document.body.textContent).toContain('$0.12');
  });

  it('links tasks to their transcripts when the logs are here', async () => {
    await open(`#/reports/${ROW.id}?tab=tasks&failed=1`);
    expect(rows()).toEqual(['L1-002']);
    expect(document.querySelector('[data-row] a')?.getAttribute('href')).toBe(
      `#/runs/azure_gpt-4o%2F20251219_113310/L1-002?report=${ROW.id}`,
    );
  });

  it('marks tasks that are flagged as faulty', async () => {
    const task_flags = vi.fn(() => ({ 'L1-002': { note: '답이 둘', flagged_at: '2026-11-20T00:00:00Z' } }));
    await open(`#/reports/${ROW.id}?tab=tasks`, { task_flags });
    expect(task_flags).toHaveBeenCalledWith({ pack: ROW.pack });
    expect(
      [...document.querySelectorAll<HTMLElement>('[data-flag]')].map(({ dataset, title }) => [dataset['flag'], title]),
    ).toEqual([['L1-002', 'Flagged: 답이 둘']]);
  });

  it('is exported through the host', async () => {
    const save = vi.fn(async () => '/exports/r.html');
    await open(`#/reports/${ROW.id}`, {}, { save });
    await choose('[data-export="html"]');
    expect(save).toHaveBeenCalledWith('r.html', '<html>', 'text/html', []);
    expect(document.body.textContent).toContain('Saved: /exports/r.html');
    await choose('[data-export="csv"]');
    expect(save).toHaveBeenCalledOnce();
  });
});

describe('an export that cannot say everything', () => {
  const beside = [
    { name: 'r.comparability.csv', media: 'text/csv', text: 'kind,name' },
    { name: 'r.statistics.csv', media: 'text/csv', text: 'kind,level' },
  ];
  const answers: FakeOptions['answers'] = {
    report_detail: () => ({ ...DETAIL, files: ['csv'] }),
    report_export: () => ({ name: 'r.csv', media: 'text/csv', text: 'Level', beside }),
  };

  it('takes the files that do with it, and asks where only once', async () => {
    const save = vi.fn(async () => '/exports/r.csv, /exports/r.comparability.csv');
    await open(`#/reports/${ROW.id}`, answers, { save });
    await choose('[data-export="csv"]');
    expect(save.mock.calls).toEqual([['r.csv', 'Level', 'text/csv', beside]]);
    expect(document.body.textContent).toContain('Saved: /exports/r.csv, /exports/r.comparability.csv');
  });

  it('says nothing when the user keeps nothing', async () => {
    const save = vi.fn(async () => null);
    await open(`#/reports/${ROW.id}`, answers, { save });
    await choose('[data-export="csv"]');
    expect(save).toHaveBeenCalledOnce();
    expect(document.body.textContent).not.toContain('Saved');
  });
});

describe('filters', () => {
  it('tell apart what is not stated', () => {
    expect(passing([ROW, OWN], { pack: '-' })).toEqual([ROW]);
    expect(passing([ROW, OWN], { from: '2026-01-01' })).toEqual([OWN]);
    expect(passing([ROW, OWN], { to: '2025-12-19' })).toEqual([ROW]);
    expect(passing([{ ...ROW, judges: null }, { ...ROW, judges: [] }, ROW], { judge: '-' })).toHaveLength(1);
  });

  it('have one value of comparability for published reports, as their badge', () => {
    const published = { ...ROW, reference: true };
    expect(passing([ROW, published], { grade: 'limited' })).toEqual([ROW]);
    expect(passing([ROW, published], { grade: 'published' })).toEqual([published]);
  });

  it('have the parameters of addresses that were kept before', () => {
    expect(REPORT_FILTERS.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['model', 'pack', 'protocol', 'grade', 'set', 'tag', 'from', 'to']),
    );
  });

  it('read tags as they are typed', () => {
    expect(parseTags(' 기준, final ,final,,')).toEqual(['기준', 'final']);
  });
});

it('an address of a task shows it, marked, and a key copies such an address', async () => {
  const write = vi.fn(() => Promise.resolve());
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: write } });
  const tasks = ['L1-001', 'L1-002'].map((task) => ({ ...DETAIL.tasks[0]!, task }));
  await open(`#/reports/${ROW.id}?tab=tasks&row=L1-002`, { report_detail: () => ({ ...DETAIL, tasks }) });
  expect(document.querySelector('.row.current.named')?.getAttribute('data-row')).toBe('L1-002');
  const grid = document.querySelector('[role="grid"]');
  for (const [key, code] of [
    ['ㅏ', 'KeyK'],
    ['ㅛ', 'KeyY'],
  ] as const)
    grid?.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }));
  await settle();
  expect(write).toHaveBeenCalledWith(`${location.origin}/#/reports/${ROW.id}?tab=tasks&row=L1-001`);
  expect(text('[data-copied-row]')).toBe('Address copied: L1-001');
  expect(document.querySelector('.named')).toBeNull();
  vi.unstubAllGlobals();
});

it('says how many tasks of the report ask otherwise than the pack, and leads to them', async () => {
  await open('#/reports/azure_gpt-4o_20251219', {
    other_instructions: ({ ids }) =>
      ids.map((report) => ({
        report,
        run: 'x/1',
        pack: 'p@1',
        compared: 91,
        tasks: [{ level: 'L3', task: 'L3-003' }],
      })),
  });
  await click('[data-caveats]');
  expect(text('[data-otherwise] summary')).toBe('1 of 91 tasks have other instructions than p@1 (L3: 1)');
  expect(document.querySelector('[data-otherwise] a')?.getAttribute('href')).toContain('L3-003');
});
