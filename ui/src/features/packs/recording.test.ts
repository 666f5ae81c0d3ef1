import { expect, it, vi } from 'vitest';
import type { Job, RecordingView } from '../../ipc/gen';
import { FakeJobs } from '../../platform/fakeJobs';
import { at, route } from '../../shared/route.svelte';
import { find, openScreen, put, screensForTests, settle } from '../../shared/screenForTests';
import RecordedFrom from './RecordedFrom.svelte';
import Recording from './Recording.svelte';

screensForTests();

const LIVE: RecordingView = {
  name: 'weather',
  phase: 'listening',
  stopping: false,
  server: 'Weather 2.1',
  tools: 3,
  url: 'http://127.0.0.1:4321/mcp/t0ken',
  session: 2,
  calls: 1,
  left_out: 1,
  bytes: 2048,
  last: [
    {
      number: 2,
      session: null,
      tool: 'keys',
      arguments: null,
      outcome: 'left_out',
      masked: false,
      ms: null,
      bytes: null,
    },
    {
      number: 1,
      session: 1,
      tool: 'forecast',
      arguments: '{"city":"서울"}',
      outcome: 'answered',
      masked: true,
      ms: 31,
      bytes: 2048,
    },
  ],
  remarks: [],
  kept: null,
  error: null,
};
const job = (news: number, finished = false) =>
  ({ id: '1-1', kind: 'recording', about: ['weather'], news, finished }) as unknown as Job;

const text = (selector: string) => find(selector)?.textContent?.trim();

it('the form sends a command with its words, and names of variables alone', async () => {
  const begun = vi.fn(() => LIVE);
  await openScreen(Recording, { at: at('packs', { record: '1' }), answers: { recording_start: begun } });
  expect(find<HTMLButtonElement>('#record-start')?.disabled).toBe(true);
  expect(text('[data-record-warning]')).toContain('started on this computer');
  await put('#record-name', ' weather ');
  await put('#record-command', 'npx -y weather-server --units "metric and more"');
  await put('#record-env', 'WEATHER_KEY, OTHER_KEY');
  await settle();
  find('#record-mask')?.click();
  find('#record-start')?.click();
  await settle();
  expect(begun).toHaveBeenCalledWith({
    request: {
      name: 'weather',
      server: { kind: 'command', line: 'npx -y weather-server --units "metric and more"' },
      env: ['WEATHER_KEY', 'OTHER_KEY'],
      mask: true,
      work: null,
    },
  });
});

it('a server at an address is given a header and no variables, and nothing is started here', async () => {
  const begun = vi.fn(() => LIVE);
  await openScreen(Recording, { at: at('packs', { record: '1' }), answers: { recording_start: begun } });
  await put('#record-env', 'LEFT_BEHIND');
  find('input[name="record-kind"][value="url"]')?.click();
  await settle();
  expect(find('[data-record-warning]')).toBeNull();
  await put('#record-name', 'weather');
  await put('#record-url', 'https://example.com/mcp');
  await put('#record-header', 'TOKEN');
  await settle();
  find('#record-start')?.click();
  await settle();
  expect(begun).toHaveBeenCalledWith({
    request: {
      name: 'weather',
      server: { kind: 'url', url: 'https://example.com/mcp', header_env: 'TOKEN' },
      env: [],
      mask: false,
      work: null,
    },
  });
});

it('a recording shows where clients find it and its calls, and follows what the engine tells', async () => {
  const jobs = new FakeJobs();
  let now = LIVE;
  const session = vi.fn(() => null);
  await openScreen(Recording, {
    at: at('packs', { record: '1' }),
    jobs,
    answers: { recordings: () => [now], recording_session: session },
  });
  expect(text('[data-record-part="url"]')).toBe('http://127.0.0.1:4321/mcp/t0ken');
  expect(text('[data-record-part="stdio"]')).toBe('KOAB_MCP_URL=http://127.0.0.1:4321/mcp/t0ken koab agents bridge');
  expect(JSON.parse(text('[data-record-part="settings"]') ?? '')).toEqual({
    command: 'koab',
    args: ['agents', 'bridge'],
    env: { KOAB_MCP_URL: 'http://127.0.0.1:4321/mcp/t0ken' },
  });
  const rows = [...document.querySelectorAll<HTMLElement>('[data-recorded]')];
  expect(rows.map(({ dataset }) => dataset['recorded'])).toEqual(['left_out', 'answered']);
  expect(rows[1]?.textContent).toContain('{"city":"서울"}');
  expect(rows[1]?.textContent).toContain('masked');
  expect(text('[data-record-count]')).toContain('1 answer not recorded');
  find('#record-session')?.click();
  await settle();
  expect(session).toHaveBeenCalledOnce();
  now = { ...LIVE, calls: 7, remarks: ['an answer of keys was not recorded'] };
  jobs.tell(job(3));
  await settle();
  expect(find('[data-record-count="7"]')).not.toBeNull();
  expect(text('[data-record-remarks]')).toContain('an answer of keys was not recorded');
});

it('what was recorded leads to the pack and to tasks, and why it ended early is said', async () => {
  const failed = 'python3 ended; its last output: no space left';
  const over: RecordingView = {
    ...LIVE,
    phase: 'over',
    url: null,
    kept: { label: 'weather@1', tools: 3, calls: 1, sessions: 1, failed },
  };
  const draft = { name: 'weather', title: '', base: 'weather@1', next_version: 2, changed: true, tasks: 1, tools: 3 };
  const write = vi.fn(() => ({ ...draft, changed_at: '2026-11-26T00:00:00Z' }));
  await openScreen(Recording, {
    at: at('packs', { record: '1' }),
    answers: { recordings: () => [over], recording_tasks: write },
  });
  expect(text('[data-record-kept="weather@1"]')).toContain('3 tools, 1 call in 1 session');
  expect(text('[role="alert"]')).toContain(failed);
  expect(find('#record-pack')?.getAttribute('href')).toBe('#/packs/weather');
  find('#record-tasks')?.click();
  await settle();
  expect(write).toHaveBeenCalledWith({ pack: 'weather' });
  expect(route.place.query).toEqual({ edit: '1', draft: 'weather' });
});

it('one that came to nothing leaves the form as it was, with the reason', async () => {
  const jobs = new FakeJobs();
  let all: RecordingView[] = [];
  const error = { code: 'bad_request', message: 'there is no program npx; install it, or give its full path' } as const;
  await openScreen(Recording, {
    at: at('packs', { record: '1' }),
    jobs,
    answers: {
      recordings: () => all,
      recording_start: () => {
        all = [{ ...LIVE, phase: 'starting', url: null, calls: 0, last: [] }];
        return all[0] as RecordingView;
      },
    },
  });
  await put('#record-name', 'weather');
  await put('#record-command', 'npx weather');
  await settle();
  find('#record-start')?.click();
  await settle();
  expect(find('[data-recording="starting"]')).not.toBeNull();
  all = [{ ...LIVE, phase: 'over', url: null, error }];
  jobs.tell(job(1, true));
  await settle();
  expect(text('[role="alert"]')).toContain('there is no program npx');
  expect(find<HTMLInputElement>('#record-command')?.value).toBe('npx weather');
});

it('one that was stopped before it began is no error', async () => {
  const error = { code: 'cancelled', message: 'stopped before the server had answered' } as const;
  await openScreen(Recording, {
    at: at('packs', { record: '1' }),
    answers: { recordings: () => [{ ...LIVE, phase: 'over', url: null, error }] },
  });
  expect(find('#record-start')).not.toBeNull();
  expect(find('[role="alert"]')).toBeNull();
});

it('a recording that cannot be read says why', async () => {
  const answers = {
    recording_of: () => {
      throw { code: 'bad_file', message: 'the recording of weather cannot be read' };
    },
  };
  await openScreen(RecordedFrom, { props: { pack: 'weather' }, answers });
  expect(text('[role="alert"]')).toContain('the recording of weather cannot be read');
});

it('the page of a recorded pack says what was recorded, and with which rules', async () => {
  const rule = 'now: its answers hold the time; drift counts times as the same';
  const facts = {
    of: 'npx weather',
    recorded_at: '2026-11-26T01:02:03.000000',
    calls: 4,
    sessions: 2,
    unsteady: [rule],
  };
  const write = vi.fn(() => {
    throw { code: 'bad_request', message: 'there is a draft of weather already' };
  });
  await openScreen(RecordedFrom, {
    props: { pack: 'weather' },
    answers: { recording_of: () => facts, recording_tasks: write },
  });
  expect(text('[data-recorded-from]')).toContain('4 in 2 sessions');
  expect(text('[data-recorded-from]')).toContain(rule);
  find('#record-tasks')?.click();
  await settle();
  expect(text('[role="alert"]')).toContain('there is a draft of weather already');
  await openScreen(RecordedFrom, { props: { pack: 'starter' } });
  expect(find('[data-recorded-from]')).toBeNull();
});
