import { flushSync, type Component } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job, FillEnd, FillPlan, Miss, RunMisses, RunRequest, RunSummary } from '../../../ipc/gen';
import { FakeJobs } from '../../../platform/fakeJobs';
import { locale } from '../../../shared/locale.svelte';
import { find, openScreen, screensForTests, settle, text } from '../../../shared/screenForTests';
import { byTask, EVERY_MISS, fitting } from './misses';
import Misses from './Misses.svelte';

screensForTests();

const RUN = 'azure_m/20261121_180000';

const miss = (task: string, call: number, change: Partial<Miss> = {}): Miss => ({
  level: 'L1',
  task,
  repetition: 1,
  step: call + 1,
  call,
  tool: 'Directions_naver',
  arguments: { start: '127.0,37.5', goal: '129.1,35.1', waypoints: '128.0,36.0' },
  key: 'a'.repeat(64),
  standing: { kind: 'open' },
  nearest: {
    args: { start: '127.0,37.5', goal: '129.1,35.2', option: 'trafast' },
    differences: [
      { name: 'goal', kind: 'value', asked: '129.1,35.1', recorded: '129.1,35.2' },
      { name: 'option', kind: 'missing', asked: null, recorded: 'trafast' },
      { name: 'waypoints', kind: 'extra', asked: '128.0,36.0', recorded: null },
    ],
  },
  ...change,
});

const KEPT: Partial<Miss> = {
  tool: 'AddressToCoord_kakao',
  level: 'L3',
  repetition: 2,
  arguments: { address: '부산' },
  standing: { kind: 'kept', origin: `fill ${RUN}`, at: '2026-11-21T20:00:00.000000' },
  nearest: null,
};

const ALL: RunMisses = {
  run: RUN,
  pack: 'starter@1',
  against: 'starter@1',
  from_logs: false,
  calls: 40,
  distinct: 2,
  open: 1,
  misses: [miss('L1-001', 0), miss('L1-001', 1), miss('L3-002', 1, KEPT)],
  tools: [
    { tool: 'Directions_naver', calls: 4, misses: 2, distinct: 1 },
    { tool: 'AddressToCoord_kakao', calls: 3, misses: 1, distinct: 1 },
  ],
  levels: [
    { level: 'L1', tasks: 3, affected: 1, calls: 20, misses: 2 },
    { level: 'L3', tasks: 2, affected: 1, calls: 20, misses: 1 },
  ],
  filled: ['L3-002'],
};

const service = (name: string, title: string, key: string | null, present: boolean) => ({
  name,
  title,
  tools: [],
  keys: key ? [{ name: key, present }] : [],
  ready: present,
});

const PLAN: FillPlan = {
  run: RUN,
  pack: 'starter@1',
  calls: 5,
  ready: 3,
  answered: 1,
  refused: 0,
  no_service: 0,
  services: [
    { service: service('bithumb', 'Bithumb', null, true), calls: 1 },
    { service: service('kakao_local', 'Kakao Local', 'KAKAO_REST_API_KEY', true), calls: 2 },
    { service: service('tmap', 'TMAP', 'TMAP_APP_KEY', false), calls: 2 },
  ],
};

const END: FillEnd = {
  run: RUN,
  origin: `fill ${RUN}`,
  calls: 5,
  recorded: 2,
  failed: 1,
  without_keys: 2,
  stopped: 0,
  tools: [
    {
      tool: 'CryptoPrice_bithumb',
      service: 'Bithumb',
      recorded: 0,
      failed: 1,
      missing_keys: [],
      errors: [{ message: 'Bithumb reports an error: no', calls: 1 }],
    },
    { tool: 'POISearch_tmap', service: 'TMAP', recorded: 0, failed: 0, missing_keys: ['TMAP_APP_KEY'], errors: [] },
  ],
  tasks: ['L3-002'],
};

const LISTED = { id: RUN, model: 'azure/m', protocol: 'corrected', status: {} } as unknown as RunSummary;

const filled = vi.fn();
const onStart = vi.fn<(request: RunRequest) => void>();
let misses: RunMisses;
let jobs: FakeJobs;
let end: FillEnd | null;
let let_go: (end: FillEnd) => void;

beforeEach(() => {
  locale.choose('en');
  misses = ALL;
  jobs = new FakeJobs();
  end = null;
  filled.mockClear();
  onStart.mockClear();
});

/** The part of the page, with a run of the list unless there is none. */
async function open(listed: RunSummary | undefined = LISTED): Promise<void> {
  const Part = ((anchor: never, _props: unknown) =>
    (Misses as unknown as (anchor: never, props: unknown) => unknown)(anchor, {
      run: RUN,
      listed,
      onStart,
    })) as unknown as Component<never>;
  await openScreen(Part, {
    jobs,
    answers: {
      cache_misses: () => misses,
      cache_fill_end: () => end,
      cache_fill_plan: () => PLAN,
      cache_fill: (args) => {
        filled(args);
        return new Promise<FillEnd>((resolve) => (let_go = resolve)) as unknown as FillEnd;
      },
      run_judges: () => ({ judges: ['a/b'], judge_base_url: 'http://127.0.0.1:9/v1', judge_local: null, from: 'run' }),
      models_list: () => [],
    },
  });
  await settle();
}

const press = async (selector: string) => {
  find(selector)?.click();
  await settle();
};

/** The cells of table rows, each row as one text. */
const cells = (rows: string) =>
  [...document.querySelectorAll<HTMLTableRowElement>(rows)].map((row) =>
    [...row.cells].map((cell) => cell.textContent?.trim()).join(' '),
  );

const going: Job = {
  id: 'a-1',
  kind: 'cache_fill',
  about: [RUN],
  done: 1,
  total: 3,
  since_ms: 0,
  took_ms: 10,
  news: 0,
  in_bytes: false,
  cancellable: true,
  cancelling: false,
  finished: false,
  error: null,
};

describe('what a run missed', () => {
  it('is narrowed by tool, level and standing, and stands by task', () => {
    expect(fitting(ALL.misses, { ...EVERY_MISS, standing: 'kept' }).map(({ task }) => task)).toEqual(['L3-002']);
    expect(fitting(ALL.misses, { ...EVERY_MISS, tool: 'Directions_naver', level: 'L3' })).toEqual([]);
    expect(byTask(ALL.misses).map(({ task, misses: of }) => [task, of.length])).toEqual([
      ['L1-001', 2],
      ['L3-002', 1],
    ]);
  });

  it('shows each call beside the record most like it, and leads to its place in the transcript', async () => {
    await open();
    expect(text()).toContain('3 of 40 tool calls (7.5%)');
    const rows = cells('[data-miss="1-0"] [data-difference]');
    expect(rows).toEqual([
      'goal "129.1,35.1" "129.1,35.2" different value',
      'option — "trafast" missing in the call',
      'waypoints "128.0,36.0" — only in the call',
    ]);
    const links = [...document.querySelectorAll<HTMLAnchorElement>('[data-miss] [data-call-link]')].map((link) =>
      decodeURIComponent(link.hash),
    );
    expect(links).toEqual([
      `#/runs/${RUN}/L1-001?call=0`,
      `#/runs/${RUN}/L1-001?call=1`,
      `#/runs/${RUN}/L3-002?repetition=2&call=1`,
    ]);
    expect(find('[data-miss="2-1"]')?.textContent).toContain(
      `A response is saved (fill ${RUN}, 2026-11-21 20:00:00 UTC).`,
    );
    find('[data-counts="level"] button')?.click();
    flushSync();
    expect(document.querySelectorAll('[data-miss]')).toHaveLength(2);
  });

  it('says so when nothing was missed, and what logs cannot tell', async () => {
    misses = { ...ALL, misses: [], tools: [], levels: [], filled: [], calls: 12 };
    await open();
    expect(text()).toContain('No cache misses. 12 tool calls');
    expect(find('#fill')).toBeNull();
    misses = { ...misses, from_logs: true };
    await open();
    expect(text()).toContain('only where the error text states it');
  });

  it('is filled once the plan was seen, with progress, an end by tool, and a way to stop', async () => {
    await open();
    await press('#fill');
    expect(cells('[data-service]')).toEqual([
      'Bithumb 1 none needed',
      'Kakao Local 2 present',
      'TMAP 2 missing: TMAP_APP_KEY',
    ]);
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain(
      '2 calls skipped: keys missing. Models & keys',
    );
    expect(filled).not.toHaveBeenCalled();
    jobs.tell(going);
    await press('#fill-go');
    expect(filled).toHaveBeenCalledWith({ request: { run: RUN, without_keys: true } });
    expect(find('[data-going]')?.textContent).toContain('1 of 3');
    expect(find<HTMLButtonElement>('#fill')?.disabled).toBe(true);
    jobs.tell({ ...going, finished: true });
    end = END;
    let_go(END);
    await settle();
    expect(find('[data-filled]')?.textContent?.replace(/\s+/g, ' ')).toContain(
      '2 of 5 calls answered and saved. 1 failed. 2 not made: keys missing.',
    );
    expect(find('[data-filled-tool="CryptoPrice_bithumb"]')?.textContent).toContain('1 × Bithumb reports an error: no');
    expect(find('[data-filled-tool="POISearch_tmap"]')?.textContent).toContain('missing: TMAP_APP_KEY');
  });

  it('follows a fill that was begun before the page was there', async () => {
    jobs.tell(going);
    await open();
    expect(find('[data-going]')?.textContent).toContain('1 of 3');
    end = END;
    jobs.tell({ ...going, finished: true });
    await settle();
    expect(find('[data-going]')).toBeNull();
    expect(find('[data-filled="2"]')).not.toBeNull();
  });

  it('makes the affected tasks again in a run of its own', async () => {
    await open();
    await press('#rerun');
    expect(document.querySelector('[role="dialog"]')?.textContent).toContain('L3-002');
    await press('#rerun-go');
    expect(onStart.mock.calls[0]?.[0]).toMatchObject({
      misses_of: RUN,
      model: 'azure/m',
      protocol: 'corrected',
      levels: [],
    });
    const score = { scorers: ['corrected'], judges: ['a/b'], judge_base_url: 'http://127.0.0.1:9/v1' };
    expect(onStart.mock.calls[0]?.[0].score, 'with the judges that the run is known to have').toEqual(score);
  });

  it('of logs from elsewhere cannot be made again under settings that nobody knows', async () => {
    await open({ ...LISTED, status: undefined } as unknown as RunSummary);
    expect(find<HTMLButtonElement>('#rerun')?.disabled).toBe(true);
    expect(text()).toContain('its settings are unknown');
  });
});
