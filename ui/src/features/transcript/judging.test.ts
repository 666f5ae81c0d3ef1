import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../ipc/client';
import type { Commands, OverrideRow, StoredVerdict, TaskVerdicts, Transcript, WireError } from '../../ipc/gen';
import { createFake } from '../../platform/fake';
import { SETTINGS } from '../../platform/fakeData';
import { violations } from '../../shared/axeForTests';
import HostForTests from '../../shared/HostForTests.svelte';
import { locale } from '../../shared/locale.svelte';
import { preferences } from '../../shared/preferences.svelte';
import { at, route } from '../../shared/route.svelte';
import { settle } from '../../shared/settleForTests';
import { attempt, call, override, said, task, transcript, verdict } from './example';
import Screen from './Screen.svelte';
import { signed, suggested } from './signature';

let mounted: ReturnType<typeof mount> | undefined;
let stop: () => void;
beforeEach(() => {
  locale.choose('en');
  location.hash = '';
  vi.useFakeTimers();
  stop = route.begin();
});
afterEach(async () => {
  stop();
  if (mounted) await unmount(mounted);
  mounted = undefined;
  document.body.replaceChildren();
  vi.useRealTimers();
});

interface Told {
  stored?: TaskVerdicts;
  shown?: Transcript;
  rows?: OverrideRow[];
  failing?: Partial<Record<string, WireError>>;
}

/** The screen over a host that keeps overrides as the engine does. */
async function open({
  stored = said([verdict('azure/gpt-4.1-mini')]),
  shown = transcript(attempt([call('A', {})], '끝')),
  rows = [],
  failing = {},
}: Told = {}) {
  const asked = vi.fn<(request: Commands['verdict_override']['args']['request']) => void>();
  const removed = vi.fn<(removal: Commands['verdict_override_remove']['args']['removal']) => void>();
  let held = stored;
  const withOverrides = (overrides: OverrideRow[]) => {
    held = { ...held, questions: held.questions.map((question) => ({ ...question, overrides })) };
  };
  const platform = createFake({
    failing,
    answers: {
      run_tasks: () => [task('L1-001'), task('L1-002')],
      transcript: () => {
        const word = held.questions[0]?.overrides[0];
        const overridden = word ? { value: Number(word.success), reason: null } : null;
        return {
          ...shown,
          metrics: shown.metrics.map((row) =>
            row.metric === 'SR' ? { ...row, leaderboard: { ...row.leaderboard, overridden } } : row,
          ),
        };
      },
      verdicts_of_task: () => held,
      verdict_overrides: () => rows,
      verdict_override: ({ request }) => {
        asked(request);
        withOverrides([override({ success: request.success, score: request.score, by: request.by, why: request.why })]);
        return [];
      },
      verdict_override_remove: ({ removal }) => {
        removed(removal);
        withOverrides([]);
        return [];
      },
    },
  });
  route.go(at('runs', 'm/1', 'L1-001'), { replace: true });
  mounted = mount(HostForTests, {
    target: document.body,
    props: { host: { platform, client: createClient(platform) }, shown: Screen, props: { run: 'm/1', task: 'L1-001' } },
  });
  await settle();
  expect(find('[data-metric="SR"]')).toBeTruthy();
  return { asked, removed };
}

const find = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector);
const text = (selector: string) => find(selector)?.textContent?.replace(/\s+/g, ' ').trim();
const appears = async (selector: string) => {
  await settle();
  expect(find(selector)).toBeTruthy();
};
const click = (selector: string) => {
  find(selector)?.click();
  flushSync();
};
const press = (
  code: string,
  init: KeyboardEventInit = {},
  target: EventTarget = document.activeElement ?? document.body,
) => {
  target.dispatchEvent(new KeyboardEvent('keydown', { code, key: code, bubbles: true, cancelable: true, ...init }));
  flushSync();
};
const type = (selector: string, value: string) => {
  const field = find<HTMLInputElement>(selector);
  if (!field) throw new Error(`no ${selector}`);
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  flushSync();
};
const choose = (value: string) => click(`[name="override-answer"][value="${value}"]`);

describe('what judges said about a metric', () => {
  it('shows every stored verdict: answer, judge, reason or failure, and when', async () => {
    const verdicts: StoredVerdict[] = [
      verdict('openai/a', { vote: 1 }),
      verdict('openai/a', { vote: 2, success: false, reason: '시간이 틀렸다.' }),
      verdict('openai/b', { success: null, reason: null, failure: 'timed out after 60 s' }),
    ];
    await open({ stored: said(verdicts), shown: transcript(attempt([], '끝'), { verdicts: [] }) });
    click('[data-metric="SR"] button');
    await appears('[data-verdict]');
    const shown = [...document.querySelectorAll<HTMLElement>('[data-verdict]')].map((row) => [
      row.dataset['verdict'],
      row.querySelector('[data-judge]')?.textContent,
      row.querySelector('[data-reason]')?.textContent?.trim(),
      row.querySelector('time')?.dateTime,
    ]);
    const when = '2026-01-02T03:04:05Z';
    expect(shown).toEqual([
      ['true', 'openai/a', '요청을 충족한다.', when],
      ['false', 'openai/a', '시간이 틀렸다.', when],
      ['failed', 'openai/b', 'timed out after 60 s', when],
    ]);
    expect(text('[data-why] details')).toContain('당신은 심판입니다');
    expect(await violations('region')).toEqual([]);
  });

  it('adds what only a report recorded, and shows no answer twice', async () => {
    await open({ stored: said([verdict('openai/a')]) });
    click('[data-metric="SR"] button');
    await appears('[data-verdict] time');
    // The example's report has a verdict of another judge.
    expect([...document.querySelectorAll('[data-verdict] [data-judge]')].map((judge) => judge.textContent)).toEqual([
      'openai/a',
      'azure/gpt-4.1-mini',
    ]);
    expect(document.querySelectorAll('[data-verdict]')[1]?.textContent).toContain('from a report');
  });

  it('shows which of two answers of one judge the scores are made of', async () => {
    await open({ stored: said([verdict('azure/gpt-4.1-mini', { success: false, reason: '아니다.' })]) });
    click('[data-metric="SR"] button');
    await appears('[data-verdict] time');
    const shown = [...document.querySelectorAll<HTMLElement>('[data-verdict]')].map((row) => [
      row.dataset['verdict'],
      row.textContent?.includes('not counted'),
      row.textContent?.includes('from a report'),
    ]);
    expect(shown).toEqual([
      ['false', true, false],
      ['true', false, true],
    ]);
    expect(text('[data-verdict="true"]')).toContain('counted');
  });

  it('suggests the name that the workspace keeps, and keeps the first one', async () => {
    const change = vi.spyOn(preferences, 'change').mockResolvedValue(true);
    const view = (reviewer: string) => ({ ...SETTINGS, settings: { ...SETTINGS.settings, reviewer } });
    preferences.view = view('이영희');
    expect(
      await suggested(createClient(createFake({ failing: { verdict_overrides: { code: 'internal', message: '' } } }))),
    ).toBe('이영희');
    signed('다른 사람');
    expect(change).not.toHaveBeenCalled();
    preferences.view = view('');
    signed(' 김 ');
    expect(change).toHaveBeenCalledExactlyOnceWith({ reviewer: '김' });
    preferences.view = null;
    change.mockRestore();
  });

  it('still shows the reports’ verdicts when the stored ones cannot be had, and says why', async () => {
    await open({ failing: { verdicts_of_task: { code: 'not_found', message: 'pack ko has no judge prompts' } } });
    click('[data-metric="SR"] button');
    await settle();
    expect(text('[data-why]')).toContain('pack ko has no judge prompts');
    expect(text('[data-verdict] [data-judge]')).toBe('azure/gpt-4.1-mini');
    expect(find('[data-override]')).toBeNull();
  });
});

describe('overriding', () => {
  it('goes by o on the metric with the focus, asks for answer, name and reason, and then shows both scores', async () => {
    const { asked } = await open();
    find('[data-metric="SR"] button')?.focus();
    press('KeyO', { key: 'ㅐ' });
    await appears('#override-form');
    expect(text('[data-original]')).toContain('Leaderboard 1 · Corrected rules —');
    expect(text('[data-original] [data-verdict]')).toContain('azure/gpt-4.1-mini');
    const save = () => find<HTMLButtonElement>('#override-save');
    choose('false');
    type('#override-why', '도로가 통제되었다.');
    expect(save()?.disabled).toBe(true);
    type('#override-by', ' 이영희 ');
    expect(save()?.disabled).toBe(false);
    expect(await violations('region')).toEqual([]);
    click('#override-save');
    await settle();
    expect(text('[data-metric="SR"] [data-over]')).toBe('with override → 0');
    expect(asked).toHaveBeenCalledExactlyOnceWith({
      run: 'm/1',
      task: 'L1-001',
      metric: 'SR',
      judge: null,
      success: false,
      score: null,
      by: '이영희',
      why: '도로가 통제되었다.',
    });
    expect(text('[data-metric="SR"] td')).toContain('1 with override');
    expect(find('#override-form')).toBeNull();
    expect(text('[data-overridden="all"]')).toContain('이영희 for all judges');
  });

  it('remembers who used it last, and can be for one of several judges', async () => {
    const two = said([verdict('openai/a'), verdict('openai/b')]);
    const { asked } = await open({
      stored: two,
      rows: [override({ by: '박', at: '2026-01-01' }), override({ by: '최' })],
    });
    click('[data-metric="SR"] button');
    await appears('[data-override="SR"]');
    click('[data-override="SR"]');
    await settle();
    expect(find<HTMLInputElement>('#override-by')?.value).toBe('최');
    const judge = find<HTMLSelectElement>('#override-judge');
    expect([...(judge?.options ?? [])].map(({ label }) => label)).toEqual(['all judges', 'openai/a', 'openai/b']);
    if (judge) judge.value = 'openai/b';
    judge?.dispatchEvent(new Event('change', { bubbles: true }));
    choose('true');
    type('#override-why', 'x');
    click('#override-save');
    await settle();
    expect(asked).toHaveBeenCalledWith(expect.objectContaining({ judge: 'openai/b', by: '최', success: true }));
  });

  it('of a graded metric takes a grade from 1 to 5', async () => {
    const shown = transcript(attempt([], '끝'));
    const sr = shown.metrics[0];
    if (!sr) throw new Error('the example has SR');
    const graded = { ...shown, metrics: [{ ...sr, metric: 'RefRecall' as const }], verdicts: [], questions: [] };
    const stored = said([verdict('openai/a', { success: null, score: 5 })]);
    const questions = stored.questions.map((question) => ({
      ...question,
      metric: 'RefRecall' as const,
      yes_no: false,
      first_judge_only: false,
    }));
    const { asked } = await openGraded({ ...stored, questions }, graded);
    choose('2');
    expect(text('fieldset')).toContain('Score: 0.25');
    type('#override-by', 'k');
    type('#override-why', 'x');
    click('#override-save');
    await settle();
    expect(asked).toHaveBeenCalledWith(expect.objectContaining({ score: 2, success: null, metric: 'RefRecall' }));
  });

  async function openGraded(stored: TaskVerdicts, shown: Transcript) {
    const asked = vi.fn();
    const platform = createFake({
      answers: {
        run_tasks: () => [task('L1-001')],
        transcript: () => shown,
        verdicts_of_task: () => stored,
        verdict_overrides: () => [],
        verdict_override: ({ request }) => {
          asked(request);
          return [];
        },
      },
    });
    mounted = mount(HostForTests, {
      target: document.body,
      props: {
        host: { platform, client: createClient(platform) },
        shown: Screen,
        props: { run: 'm/1', task: 'L1-001' },
      },
    });
    await appears('[data-metric="RefRecall"] button');
    find('[data-metric="RefRecall"] button')?.focus();
    press('KeyO');
    await appears('#override-form');
    return { asked };
  }

  it('keeps what was typed when the engine refuses, and says why', async () => {
    await open({ failing: { verdict_override: { code: 'bad_request', message: 'the disk is full' } } });
    find('[data-metric="SR"] button')?.focus();
    press('KeyO');
    await appears('#override-form');
    choose('true');
    type('#override-by', 'k');
    type('#override-why', '까닭');
    click('#override-save');
    await settle();
    expect(text('#override-form .notice')).toContain('the disk is full');
    expect(find<HTMLTextAreaElement>('#override-why')?.value).toBe('까닭');
  });

  it('is taken back after a question, and the score is as judged again', async () => {
    const { removed } = await open({ stored: said([verdict('openai/a')], [override()]), rows: [override()] });
    expect(text('[data-metric="SR"] [data-over]')).toBe('with override → 0');
    click('[data-metric="SR"] button');
    await appears('[data-remove="all"]');
    click('[data-remove="all"]');
    await appears('[role="alertdialog"]');
    await settle();
    expect(find<HTMLInputElement>('#remove-by')?.value).toBe('이영희');
    expect(removed).not.toHaveBeenCalled();
    expect(await violations('region')).toEqual([]);
    click('[data-answer="confirm"]');
    await settle();
    expect(find('[data-over]')).toBeNull();
    expect(removed).toHaveBeenCalledWith({ run: 'm/1', task: 'L1-001', metric: 'SR', judge: null, by: '이영희' });
    await settle();
    expect(find('[data-overridden]')).toBeNull();
  });

  it('says of one whose question has changed that it does not apply any more', async () => {
    const outdated = said([verdict('openai/a')], [], { outdated: [override({ applies: false })] });
    await open({ stored: outdated });
    click('[data-metric="SR"] button');
    await settle();
    expect(text('[data-applies="false"]')).toContain('The question has changed since');
    expect(find('[data-change]')).toBeNull();
  });

  it('is not offered where the log alone decides', async () => {
    await open();
    find('[data-metric="CallEM"] button')?.focus();
    press('KeyO');
    expect(find('[data-why="CallEM"]')).toBeTruthy();
    expect(find('#override-form')).toBeNull();
    expect(find('[data-override]')).toBeNull();
  });

  it('does not begin in the middle of a syllable or with a modifier', async () => {
    await open();
    find('[data-metric="SR"] button')?.focus();
    press('KeyO', { isComposing: true });
    press('KeyO', { ctrlKey: true });
    await settle();
    expect(find('[data-why], #override-form')).toBeNull();
    press('KeyO');
    await appears('#override-form');
  });
});
