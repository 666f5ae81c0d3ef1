import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../ipc/client';
import type { ForkMessage, ForkOffer, ForkPlan, ForkSummary } from '../../ipc/gen';
import { createFake } from '../../platform/fake';
import HostForTests from '../../shared/HostForTests.svelte';
import { locale } from '../../shared/locale.svelte';
import { settle } from '../../shared/settleForTests';
import { faulty, requestOf, unchanged } from './draft';
import ForkDialog from './ForkDialog.svelte';
import ForkList from './ForkList.svelte';
import { BEGUN, further } from './progress';

const PLACE = { run: 'm/1', task: 'L3-001', repetition: 1, step: 1 };
const message = (at: number, more: Partial<ForkMessage> = {}): ForkMessage => ({
  at,
  role: 'user',
  step: null,
  text: '수원역에서 가까운 곳',
  call_id: null,
  tool: null,
  arguments: null,
  ...more,
});
const MESSAGES = [
  message(0),
  message(1, { role: 'assistant', step: 1, text: '' }),
  message(2, {
    role: 'tool',
    step: 1,
    text: '{"lat": 37}',
    tool: 'AddressToCoord_kakao',
    call_id: 'c1',
    arguments: '{"address":"수원"}',
  }),
];
const OF = { run: 'm/1', fork: null, task: 'L3-001', level: 'L3' as const, repetition: 1 };
const OFFER: ForkOffer = {
  of: OF,
  step: 1,
  steps: 3,
  messages: MESSAGES,
  model: 'openai/gpt-4o',
  base_url: null,
  temperature: 0.7,
  seed: null,
  error_types: ['timeout', 'data_not_available'],
  notes: [],
};
const PLAN: ForkPlan = { model: 'openai/gpt-4o', kept_steps: 1, changes: [], settings: [], estimate: null };

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

const find = <E extends HTMLElement>(selector: string) => document.querySelector<E>(selector);

describe('what is changed', () => {
  it('becomes a request that names messages by their places', () => {
    const draft = unchanged(MESSAGES, 'timeout');
    expect(requestOf(PLACE, draft).edits).toEqual([]);
    draft.messages[0] = { doing: 'text', text: '부산', errorType: 'timeout' };
    draft.messages[2] = { doing: 'result', text: '{"n": 9007199254740993}', errorType: 'timeout' };
    draft.temperature = ' 0 ';
    draft.seed = 'x';
    const request = requestOf(PLACE, draft);
    expect(request.edits).toEqual([
      { at: 0, to: { kind: 'text', text: '부산' } },
      { at: 2, to: { kind: 'result', json: '{"n": 9007199254740993}' } },
    ]);
    expect([request.temperature, request.seed, request.model]).toEqual([0, null, null]);
  });

  it('is faulty where a result is not JSON', () => {
    const draft = unchanged(MESSAGES, 'timeout');
    draft.messages[2] = { doing: 'result', text: '{', errorType: 'timeout' };
    expect(faulty(draft)).toEqual([2]);
  });
});

it('a fork’s events tell where it is', () => {
  const event = (kind: object) =>
    ({ at_ms: 0, elapsed_ms: 0, run: 'fork:x', kind }) as Parameters<typeof further>[1][number];
  const asked = further(BEGUN, [event({ type: 'step_started', task: 't', repetition: 1, step: 2 })]);
  expect(asked).toEqual({ step: 2, waits: null, over: false });
  const waits = further(asked, [
    event({ type: 'waiting', task: 't', repetition: 1, reason: '503', wait_ms: 1, until_ms: null }),
  ]);
  expect(waits.waits).toBe('503');
  expect(further(waits, [event({ type: 'run_finished' })]).over).toBe(true);
});

describe('the dialog', () => {
  it('offers the step’s answers, refuses what is not JSON, and starts with what was typed', async () => {
    const started = vi.fn();
    const asked = vi.fn();
    const platform = createFake({
      answers: {
        fork_offer: () => OFFER,
        fork_plan: () => PLAN,
        fork_start: ({ request }) => {
          asked(request);
          return { id: 'f1', run: 'fork:f1' };
        },
      },
    });
    const props = { place: PLACE, models: [], onClose: () => undefined, onStarted: started };
    mounted = mount(HostForTests, {
      target: document.body,
      props: { host: { platform, client: createClient(platform) }, shown: ForkDialog, props },
    });
    await settle();
    const start = () => find<HTMLButtonElement>('#fork-start');
    find('[data-message="2"] input[value="result"]')?.click();
    flushSync();
    const field = find<HTMLTextAreaElement>('[data-message="2"] textarea');
    if (!field) throw new Error('no field');
    field.value = '{"lat": ';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    flushSync();
    expect(start()?.disabled).toBe(true);
    expect(find('[data-message="2"]')?.textContent).toContain('Not valid JSON.');
    field.value = '{"lat": 35}';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    flushSync();
    await settle(300);
    expect(find('[data-fork-plan]')?.textContent).toContain('No cost.');
    find<HTMLFormElement>('#fork-form')?.requestSubmit();
    await settle();
    expect(asked.mock.calls[0]?.[0].edits).toEqual([{ at: 2, to: { kind: 'result', json: '{"lat": 35}' } }]);
    expect(started).toHaveBeenCalledWith({ id: 'f1', run: 'fork:f1' });
  });
});

describe('the list', () => {
  const fork: ForkSummary = {
    id: 'f1',
    name: '다른 좌표',
    created_ms: 0,
    of: OF,
    step: 1,
    changes: [
      {
        at: 2,
        role: 'tool',
        step: 1,
        call: 0,
        tool: 'AddressToCoord_kakao',
        before: {},
        after: {},
        to: { kind: 'error', error_type: 'timeout' },
      },
    ],
    settings: [{ setting: 'model', before: 'a/b', after: 'c/d' }],
    model: 'c/d',
    source_model: 'a/b',
    state: 'completed',
    reason: null,
    answer: '없습니다.',
    new_steps: 1,
    usd: null,
    tokens: null,
  };

  async function list(
    forks: ForkSummary[],
    unreadable: string[] = [],
    task: string | null = null,
  ): Promise<{ asked: number; forks: number }> {
    if (mounted) await unmount(mounted);
    const forks_list = vi.fn(() => ({ forks, unreadable }));
    const platform = createFake({ answers: { forks_list } });
    mounted = mount(HostForTests, {
      target: document.body,
      props: { host: { platform, client: createClient(platform) }, shown: ForkList, props: { run: 'm/1', task } },
    });
    await settle();
    return { asked: forks_list.mock.calls.length, forks: document.querySelectorAll('[data-forks]').length };
  }

  it('marks forks by a word, and says what each changed', async () => {
    await list([fork]);
    expect(find('[data-fork-mark]')?.textContent).toContain('Fork');
    expect(find('[data-fork="f1"]')?.textContent?.replace(/\s+/g, ' ')).toContain(
      'AddressToCoord_kakao: error: timeout, Model',
    );
    expect(find<HTMLAnchorElement>('[data-fork="f1"] a')?.getAttribute('href')).toBe('#/forks/f1');
  });

  it('is not there without any', async () => {
    expect(await list([fork])).toEqual({ asked: 1, forks: 1 });
    expect(await list([])).toEqual({ asked: 1, forks: 0 });
    expect(document.body.textContent?.trim()).toBe('');
  });

  it('names forks that cannot be read on the page of the run, not on that of each task', async () => {
    await list([fork], ['forks/f2/fork.json is not JSON']);
    expect(document.body.textContent).toContain('forks/f2/fork.json is not JSON');
    await list([fork], ['forks/f2/fork.json is not JSON'], 'L1-001');
    expect(document.body.textContent).not.toContain('fork.json');
  });
});
