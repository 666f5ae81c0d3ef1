import { expect, it, vi } from 'vitest';
import type { Job, LocalExamination, LocalNeed, LocalTrial, LocalTrialRequest, WireError } from '../../ipc/gen';
import { FakeJobs } from '../../platform/fakeJobs';
import { locale } from '../../shared/locale.svelte';
import { USUAL, settingsOf } from '../../shared/localModel/settings';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';
import { MODEL } from './model.fixture';
import Screen from './Screen.svelte';

screensForTests();

const FOUND: LocalExamination = {
  model: MODEL.name,
  precision: '8bit',
  device: 'CPU',
  threads: 8,
  weights_bytes: 8_700_000_000,
  kv_bytes: 1_300_000_000,
  memory_available: 16_000_000_000,
  context: 8192,
  context_trained: 40_960,
  parallel: 2,
  prompt_per_second: 81.26,
  written_per_second: 12,
  deterministic: true,
  deterministic_together: false,
  handles_tools: true,
  form: 'hermes',
  rendered: '<|im_start|>user\n서울 날씨 어때?',
  longest: { task: 'L7-003', tokens: 2048, too_long: [] },
  advice: [],
};
const REQUEST: LocalTrialRequest = {
  name: MODEL.name,
  settings: settingsOf({ ...USUAL, precision: '8bit', context: 8192 }, true),
  parallel: 2,
};
const trial = (changes: Partial<LocalTrial>): LocalTrial => ({
  request: REQUEST,
  job: 'a-1',
  found: null,
  error: null,
  ...changes,
});

const local_need = (): LocalNeed => ({
  weights_bytes: 16_000_000_000,
  kv_bytes: 4_000_000_000,
  memory_available: 16_000_000_000,
  context: 16_384,
  parallel: 4,
  converts: true,
});

const JOB: Job = {
  id: 'a-1',
  kind: 'model_trial',
  about: [MODEL.name],
  done: 0,
  total: null,
  since_ms: 0,
  took_ms: 0,
  news: 0,
  in_bytes: false,
  cancellable: true,
  cancelling: false,
  finished: false,
  error: null,
};

interface Engine {
  now: LocalTrial | null;
  jobs?: FakeJobs;
}

async function open(
  engine: Engine,
  answers: Parameters<typeof openScreen>[1]['answers'] = {},
  failing: Record<string, WireError> = {},
) {
  locale.choose('en');
  const local_list = vi.fn(() => ({ models: [MODEL], pulls: [], hub: '/cache', folder: '/models', free: null }));
  await openScreen(Screen as never, {
    at: '#/models/Qwen%2FQwen3-8B',
    failing,
    jobs: engine.jobs,
    answers: { local_list, local_need, local_trial: () => engine.now, ...answers },
  });
  return local_list;
}

const value = (field: string) => find<HTMLInputElement>(`#trial [data-field="${field}"]`)?.value;
const fact = (name: string) => find(`[data-fact="${name}"]`)?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

it('a model is tried with the chosen settings, followed, and shown as it was measured', async () => {
  const jobs = new FakeJobs();
  const engine: Engine = { now: null, jobs };
  const local_trial_start = vi.fn(
    ({ request }: { request: LocalTrialRequest }) => (jobs.tell(JOB), (engine.now = trial({ request }))),
  );
  const local_list = await open(engine, { local_trial_start });
  expect(text()).toContain('Qwen3ForCausalLM');
  await put('#trial [data-field="precision"]', '8bit');
  await put('#trial [data-field="context"]', '8192');
  await put('#trial [data-field="parallel"]', '2');
  find('#trial-begin')?.click();
  await settle();
  expect(local_trial_start).toHaveBeenCalledExactlyOnceWith({ request: REQUEST });
  expect(find('[data-trial]')?.dataset['trial']).toBe('opening');
  expect(find<HTMLButtonElement>('#trial-begin')?.disabled).toBe(true);
  jobs.tell({ ...JOB, done: 2, total: 6 });
  await settle();
  expect(find('[data-trial="answering"]')?.textContent).toContain('2 of 6 answers');
  const listed = local_list.mock.calls.length;
  engine.now = trial({ found: FOUND });
  jobs.tell({ ...JOB, finished: true });
  await settle();
  expect(find('[data-trial-result] [data-memory]')?.textContent).toBe('10.0 GB of 16.0 GB free (63 %)');
  expect(fact('reading')).toContain('81.3 tokens/s');
  expect(fact('writing')).toContain('12.0 tokens/s');
  expect(fact('repeatable')).toContain('Yes');
  expect(fact('repeatable')).toContain('at once');
  expect(fact('tools')).toContain('hermes');
  expect(fact('longest')).toContain('2,048 of 7,168 tokens (L7-003)');
  expect(text()).toContain('ready to run');
  expect(find('pre')?.textContent).toContain('서울 날씨 어때?');
  expect(find('#trial-run')?.getAttribute('href')).toContain('precision');
  // A conversion may have come of it; and nobody goes on asking.
  expect(local_list.mock.calls.length).toBe(listed + 1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(local_list.mock.calls.length).toBe(listed + 1);
});

it('what it will need is computed while the form is filled in, before anything is loaded', async () => {
  const asked = vi.fn(local_need);
  await open({ now: null }, { local_need: asked });
  await vi.advanceTimersByTimeAsync(300);
  await settle();
  expect(find('[data-need]')?.textContent).toContain('20.0 GB of 16.0 GB free (125 %)');
  expect(find('[data-need] [data-tight]')).not.toBeNull();
  expect(find('[data-need]')?.textContent).toContain('Converted once first');
  asked.mockImplementation(() => ({ ...local_need(), weights_bytes: 4_000_000_000, kv_bytes: 500_000_000 }));
  await put('#trial [data-field="precision"]', '4bit');
  await put('#trial [data-field="parallel"]', '1');
  await vi.advanceTimersByTimeAsync(300);
  await settle();
  expect(asked).toHaveBeenCalledTimes(2);
  expect(asked.mock.lastCall).toEqual([
    { request: { name: MODEL.name, settings: settingsOf({ ...USUAL, precision: '4bit' }, true), parallel: 1 } },
  ]);
  expect(find('[data-need]')?.textContent).toContain('4.5 GB of 16.0 GB free (28 %)');
  expect(find('[data-need] [data-tight]')).toBeNull();
});

it('a reload finds the trial with its settings, and what should be done is said in words', async () => {
  const found: LocalExamination = {
    ...FOUND,
    kv_bytes: null,
    memory_available: null,
    written_per_second: null,
    deterministic: null,
    deterministic_together: null,
    handles_tools: false,
    longest: { task: 'L7-003', tokens: 9000, too_long: ['L7-001', 'L7-003'] },
    advice: ['larger_context', 'tools_by_hand'],
  };
  await open({ now: trial({ found }) });
  expect([value('precision'), value('context'), value('parallel')]).toEqual(['8bit', '8192', '2']);
  expect(find('[data-advice="larger_context"]')?.textContent).toContain('larger context');
  expect(find('[data-advice="tools_by_hand"]')).not.toBeNull();
  // What is not known is said, and is not a number.
  expect(text()).toContain('free memory unknown');
  expect(text()).toContain('not derivable for this model type');
  expect(fact('writing')).toContain('Not measured');
  expect(fact('repeatable')).toContain('Unknown');
  expect(find('[data-fact="longest"] a')?.getAttribute('href')).toBe('#/tasks/L7-001');
  locale.choose('ko');
  await settle();
  expect(text()).toContain('컨텍스트를 늘리세요');
});

it('a trial under way is stopped, and a model that cannot be tried says why', async () => {
  const jobs = new FakeJobs();
  jobs.tell(JOB);
  const engine: Engine = { now: trial({}), jobs };
  const job_cancel = vi.fn(() => {
    engine.now = trial({ error: { code: 'cancelled', message: 'stopped before it was done' } });
    jobs.tell({ ...JOB, finished: true });
    return null;
  });
  await open(engine, { job_cancel });
  find('#trial-cancel')?.click();
  await settle();
  expect(job_cancel).toHaveBeenCalledExactlyOnceWith({ id: 'a-1' });
  expect(text()).toContain('Test cancelled.');
  expect(find('#trial-cancel')).toBeNull();

  await open({ now: trial({ error: { code: 'bad_request', message: 'it needs 20 GB and 16 GB are free' } }) });
  expect(text()).toContain('it needs 20 GB and 16 GB are free');
  expect(find('[data-trial-result]')).toBeNull();

  await open({ now: null }, {}, { local_trial_start: { code: 'busy', message: 'a run is under way' } });
  find('#trial-begin')?.click();
  await settle();
  expect(text()).toContain('a run is under way');
});

it('what makes no sense is not begun, and a model that is gone is said to be', async () => {
  const local_trial_start = vi.fn(() => trial({}));
  await open({ now: null }, { local_trial_start });
  await put('#trial [data-field="context"]', '12');
  find('#trial-begin')?.click();
  await settle();
  expect(local_trial_start).not.toHaveBeenCalled();
  expect(find('#trial [role="alert"]')?.textContent).toContain('256 tokens or more');
  expect(find('#trial [data-field="context"]')?.getAttribute('aria-invalid')).toBe('true');
  await openScreen(Screen as never, { at: '#/models/gone' });
  expect(text()).toContain('No model gone on this computer.');
});
