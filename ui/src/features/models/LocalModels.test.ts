import { expect, it, vi } from 'vitest';
import type { Job, HubModel, LocalModels, PullState } from '../../ipc/gen';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';
import { FakeJobs } from '../../platform/fakeJobs';
import { locale } from '../../shared/locale.svelte';
import LocalModelsPart from './LocalModels.svelte';
import ModelServers from './ModelServers.svelte';
import { MODEL } from './model.fixture';

screensForTests();

const PULL: PullState = {
  id: 'a-1',
  repo: 'some/model',
  revision: 'main',
  commit: '02',
  file: 'model.safetensors',
  kind: 'safetensors',
  standing: 'running',
  error: null,
  done: 250_000_000,
  total: 1_000_000_000,
  speed: 25_000_000,
  eta_s: 30,
  files: [3, 4],
};
const FOUND: HubModel = {
  repo: 'some/gguf',
  page: 'https://huggingface.co/some/gguf',
  revision: 'main',
  commit: '03',
  licence: 'kanana',
  gated: true,
  architecture: 'qwen2',
  parameters: 7_600_000_000,
  context: 32_768,
  offers: [
    { kind: 'gguf', file: 'm-Q8_0.gguf', quantization: 'Q8_0', files: 1, bytes: 8_000_000_000, missing: 8_000_000_000 },
    {
      kind: 'gguf',
      file: 'm-Q4_K_M.gguf',
      quantization: 'Q4_K_M',
      files: 2,
      bytes: 4_700_000_000,
      missing: 700_000_000,
    },
  ],
  problem: null,
  free: 5_000_000_000,
};
const view = (changes: Partial<LocalModels> = {}): LocalModels => ({
  models: [MODEL],
  pulls: [],
  hub: '/cache',
  folder: '/workspace/models',
  free: 5_000_000_000,
  ...changes,
});

const JOB = { id: 'j-1', kind: 'model_pull', about: ['some/gguf'], finished: false } as unknown as Job;

const press = async (selector: string) => {
  find(selector)?.click();
  await settle();
};
const shown = LocalModelsPart as never;

it('what is on this computer is listed with what its files say, and offered for a run', async () => {
  locale.choose('en');
  await openScreen(shown, { answers: { local_list: () => view() } });
  const row = find('[data-model="local/Qwen/Qwen3-8B"]')?.textContent ?? '';
  for (const said of ['Qwen3ForCausalLM', '8.2B', '40,960', '8bit', 'apache-2.0', '25.1 GB'])
    expect(row).toContain(said);
  const links = () => [...document.querySelectorAll('[data-model] td a')].map((link) => link.getAttribute('href'));
  expect(links()).toEqual(['#/models/Qwen%2FQwen3-8B', '#/runs?model=local%2FQwen%2FQwen3-8B']);
  await openScreen(shown, {
    answers: { local_list: () => view({ models: [{ ...MODEL, problem: 'model-2.safetensors is missing' }] }) },
  });
  expect(text()).toContain('model-2.safetensors is missing');
  expect(links()).toEqual([]);
  await openScreen(shown, { answers: { local_list: () => view({ models: [] }) } });
  expect(find('[data-none]')).not.toBeNull();
});

it('sizes and licence are seen before anything is fetched, and what has no room is not', async () => {
  locale.choose('en');
  const pull_start = vi.fn(() => PULL);
  await openScreen(shown, { answers: { local_list: () => view(), hub_model: () => FOUND, pull_start } });
  await put('#hub-repo', ' some/gguf ');
  await press('#hub-form [type="submit"]');
  expect(find('#hub-found')?.textContent).toContain('kanana');
  expect(find('#hub-found')?.textContent).toContain('accept the terms');
  expect(find<HTMLButtonElement>('#hub-fetch')?.disabled).toBe(true);
  expect(text()).toContain('Only 5.0 GB free.');
  await press('[name="offer"][value="m-Q4_K_M.gguf"]');
  expect(find('#hub-fetch')?.textContent).toContain('Download 700.0 MB');
  await press('#hub-fetch');
  expect(pull_start).toHaveBeenCalledExactlyOnceWith({ request: { repo: 'some/gguf@main', file: 'm-Q4_K_M.gguf' } });
  expect(find('#hub-found')).toBeNull();
});

it('a download is followed to its end, and then the model is in the list', async () => {
  locale.choose('en');
  let pulls: PullState[] = [PULL];
  const local_list = vi.fn(() => view({ pulls, models: pulls.length > 0 ? [] : [MODEL] }));
  const jobs = new FakeJobs();
  await openScreen(shown, { jobs, answers: { local_list, pulls_list: () => pulls } });
  expect(find('[data-pull]')?.textContent).toContain('250.0 MB of 1.0 GB');
  expect(find('[data-pull]')?.textContent).toContain('25.0 MB/s');
  pulls = [{ ...PULL, done: 900_000_000 }];
  jobs.tell(JOB);
  await settle();
  expect(find<HTMLProgressElement>('progress')?.value).toBe(900_000_000);
  pulls = [];
  jobs.tell({ ...JOB, finished: true });
  await settle();
  expect(find('[data-model]')).not.toBeNull();
  const asked = local_list.mock.calls.length;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(local_list.mock.calls.length).toBe(asked);
});

it('a download is paused, gone on with, and given up only after a question', async () => {
  locale.choose('en');
  let pulls: PullState[] = [PULL];
  const pull_pause = vi.fn(() => ((pulls = [{ ...PULL, standing: 'paused', speed: null, eta_s: null }]), null));
  const pull_resume = vi.fn(() => ((pulls = [PULL]), PULL));
  const pull_cancel = vi.fn(() => ((pulls = []), null));
  const answers = { local_list: () => view({ pulls }), pulls_list: () => pulls, pull_pause, pull_resume, pull_cancel };
  await openScreen(shown, { answers });
  await press('[data-pull] button');
  expect(find('[data-standing="paused"]')).not.toBeNull();
  await press('[data-pull] button');
  expect(find('[data-standing="running"]')).not.toBeNull();
  await press('[data-pull] button:last-child');
  expect(pull_cancel).not.toHaveBeenCalled();
  await press('[data-answer="confirm"]');
  expect(pull_cancel).toHaveBeenCalledExactlyOnceWith({ id: 'a-1' });
  expect(find('[data-pull]')).toBeNull();
});

it('deleting says what it frees and waits for a yes', async () => {
  locale.choose('en');
  const local_delete = vi.fn(() => ({ name: MODEL.name, frees: 1, stays: null }));
  const local_removal = () => ({ name: MODEL.name, frees: 25_100_000_000, stays: null });
  await openScreen(shown, { answers: { local_list: () => view(), local_removal, local_delete } });
  await press('[data-model] button');
  expect(text()).toContain('Frees 25.1 GB');
  expect(local_delete).not.toHaveBeenCalled();
  await press('[data-answer="confirm"]');
  expect(local_delete).toHaveBeenCalledExactlyOnceWith({ name: MODEL.name, part: { part: 'everything' } });
});

it('a hub that cannot be reached is an error beside a list that works', async () => {
  locale.choose('en');
  const error = { code: 'model_unreachable', message: 'https://huggingface.co cannot be reached: dns error' } as const;
  await openScreen(shown, { answers: { local_list: () => view() }, failing: { hub_model: error } });
  await put('#hub-repo', 'some/gguf');
  await press('#hub-form [type="submit"]');
  expect(find('[role="alert"]')?.textContent).toContain('cannot be reached');
  expect(find('[data-model]')).not.toBeNull();
});

it('servers on this computer are offered with address and model', async () => {
  locale.choose('en');
  const server = {
    provider: 'ollama',
    base_url: 'http://localhost:11434/v1',
    models: ['ollama/qwen3:8b'],
    wants_key: false,
  };
  await openScreen(ModelServers as never, { answers: { servers_find: () => [server] } });
  const link = find('[data-server="ollama"] a')?.getAttribute('href');
  expect(link).toBe('#/runs?model=ollama%2Fqwen3%3A8b&base_url=http%3A%2F%2Flocalhost%3A11434%2Fv1');
  await openScreen(ModelServers as never, { answers: { servers_find: () => [] } });
  expect(text()).toContain('No server responds.');
});
