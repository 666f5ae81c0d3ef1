import { expect, it } from 'vitest';
import type { Job, SweepFile, SweepPlan, SweepRow, SweepView } from '../../ipc/gen';
import { MODELS } from '../../platform/fakeData';
import { FakeJobs } from '../../platform/fakeJobs';
import { parsePlace } from '../../shared/route.svelte';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';

import { draftOf, fileOf, lacksAddress, wrongName } from './draft';
import Screen from './Screen.svelte';
import { FILE, VIEW } from './sweep.fixture';

screensForTests();

const asked: {
  plan: SweepFile[];
  start: SweepFile[];
  open: string[][];
  save: SweepFile[];
  forget: string[];
  cancel: string[];
} = {
  plan: [],
  start: [],
  open: [],
  save: [],
  forget: [],
  cancel: [],
};
let jobs = new FakeJobs();
const saved: string[] = [];

const ROW: SweepRow = {
  id: VIEW.id,
  name: 'warm',
  metric: 'ToolAcc',
  models: ['lab/a', 'openai_compat/b'],
  packs: ['starter'],
  cells: 4,
  runs: 4,
  made: 3,
  begun_ms: 1_790_000_000_000,
  problem: null,
};

interface Given {
  rows?: SweepRow[];
  view?: SweepView;
  plan?: SweepPlan;
}

async function open(at: string, { rows = [ROW], view = VIEW, plan = VIEW.plan }: Given = {}): Promise<void> {
  for (const list of Object.values(asked)) list.length = 0;
  saved.length = 0;
  jobs = new FakeJobs();
  sessionStorage.clear();
  await openScreen(Screen, {
    at,
    jobs,
    host: {
      pick: () => Promise.resolve(['/a/sweep.toml', '/a/short.txt']),
      save: (name, content) => {
        saved.push(`${name} ${String(content)}`);
        return Promise.resolve(name);
      },
    },
    answers: {
      sweeps_list: () => rows,
      sweep_show: () => view,
      sweep_plan: ({ file }) => {
        asked.plan.push(file);
        return plan;
      },
      sweep_start: ({ file }) => {
        asked.start.push(file);
        return VIEW.id;
      },
      sweep_open: ({ paths }) => {
        asked.open.push(paths);
        return FILE;
      },
      sweep_save: ({ file }) => {
        asked.save.push(file);
        return { name: 'sweep.toml', media: 'application/toml', text: 'name = "warm"', beside: [] };
      },
      job_cancel: ({ id }) => {
        asked.cancel.push(id);
        return null;
      },
      sweep_forget: ({ id }) => {
        asked.forget.push(id);
        return null;
      },
    },
  });
  await settle();
}

const press = async (selector: string): Promise<void> => {
  find(selector)?.click();
  await settle();
};
/** What is typed comes to rest, and is planned. */
const planned = async (): Promise<void> => {
  for (let time = 0; time < 12; time += 1) await settle();
};
const going: Job = {
  id: 'a-1',
  kind: 'sweep',
  about: [VIEW.id, 'warm'],
  done: 3,
  total: 9,
  since_ms: 0,
  took_ms: 3000,
  news: 0,
  in_bytes: false,
  cancellable: true,
  cancelling: false,
  finished: false,
  error: null,
};

it('lists the sweeps that were begun, with how far they are and what is wrong', async () => {
  await open('#/sweeps', { rows: [ROW, { ...ROW, id: 'b', name: '', problem: 'there is no pack gone' }] });
  expect([...document.querySelectorAll('[data-sweep]')].map((row) => row.getAttribute('data-sweep'))).toEqual([
    VIEW.id,
    'b',
  ]);
  expect(find('[data-made]')?.textContent).toContain('3 of 4');
  expect(text()).toContain('there is no pack gone');
  expect(find<HTMLAnchorElement>('[data-sweep] a')?.hash).toBe(`#/sweeps/${VIEW.id}`);
});

it('says of a plan that nothing is known of what one of its runs takes, and no figure of none', async () => {
  const runs = VIEW.plan.runs.map((run, at) => (at === 3 ? { ...run, calls: null, usd: null, minutes: null } : run));
  await open(`#/sweeps/${VIEW.id}`, { view: { ...VIEW, plan: { ...VIEW.plan, runs, usd: 0.5, unknown: 1 } } });
  expect(find('[data-unknown]')?.textContent).toContain('unknown for 1 run');
  for (const fact of ['calls', 'cost', 'minutes']) {
    expect(find(`[data-fact="${fact}"] dd`)?.textContent).toContain('at least');
  }
  const cells = [...(find('[data-plan] tr[data-state="begun"]')?.querySelectorAll('td.number') ?? [])];
  expect(cells.map((cell) => cell.textContent.trim())).toEqual(['6', '—', '—', '—']);
});

it('says what a sweep is where there is none, and leads to the form', async () => {
  await open('#/sweeps', { rows: [] });
  expect(text()).toContain('No sweep yet');
  await press('#new-sweep');
  expect(parsePlace(location.hash).query['new']).toBe('1');
});

it('makes a file of the form, plans it, and starts what was planned', async () => {
  await open('#/sweeps?new=1');
  await put('[data-model="0"] input', 'lab/a');
  await press('#add-model');
  await put('[data-model="1"] input', 'lab/b');
  await put('#sweep-name', 'new');
  await put('#temperature', '0, 0.7');
  await put('[data-axis="temperature"]', '0.7');
  await put('#max-cost', '2.5');
  await planned();
  const file = asked.plan.at(-1);
  expect(file?.models.map(({ id }) => id)).toEqual(['lab/a', 'lab/b']);
  expect(file?.settings.temperature).toEqual([0, 0.7]);
  expect([file?.baseline.model, file?.baseline.temperature]).toEqual(['lab/a', 0.7]);
  expect([file?.name, file?.max_cost, file?.levels]).toEqual(['new', 2.5, []]);
  expect(find('[data-fact="attempts"]')?.textContent).toContain('6');
  expect(find('[data-fact="cost"]')?.textContent).toContain('—');
  expect(asked.start).toEqual([]);
  await press('#start-sweep');
  expect(asked.start).toEqual([file]);
  expect(location.hash).toBe(`#/sweeps/${VIEW.id}`);
});

it('starts nothing while a number is none or the budget is too small', async () => {
  await open('#/sweeps?new=1', { plan: { ...VIEW.plan, refusal: 'the sweep is expected to cost $9.00' } });
  await put('[data-model="0"] input', 'lab/a');
  await planned();
  expect(find('[data-refusal]')?.textContent).toContain('expected to cost $9.00');
  expect(find<HTMLButtonElement>('#start-sweep')?.disabled).toBe(true);
  const count = asked.plan.length;
  await put('#temperature', '0, warm');
  await planned();
  expect(text()).toContain('“warm” is not a number');
  expect(asked.plan).toHaveLength(count);
});

it('asks for no plan while a server without an address of its own has none', () => {
  const lacks = (id: string, baseUrl: string) => lacksAddress({ ...draftOf(FILE), models: [{ id, baseUrl }] }, MODELS);
  expect(
    [
      ['openai_compat/m', ''],
      ['openai_compat/m', 'a b'],
      ['openai_compat/m', 'localhost:8000/v1'],
      ['ollama/m', ''],
      ['baseline/golden', ''],
    ].map(([id, baseUrl]) => lacks(id!, baseUrl!)),
  ).toEqual([true, true, false, false, false]);
});

it('opens a file with its texts into the form, and gives it back as it was', async () => {
  expect(fileOf(draftOf(FILE))).toEqual(FILE);
  await open('#/sweeps');
  await press('#open-sweep');
  await planned();
  expect(asked.open).toEqual([['/a/sweep.toml', '/a/short.txt']]);
  expect(asked.plan.at(-1)).toEqual(FILE);
  expect(find<HTMLTextAreaElement>('[data-texts="prompts"] textarea')?.value).toBe('짧게 답하세요.');
  await press('#save-sweep');
  expect(asked.save).toEqual([FILE]);
  expect(saved).toEqual(['sweep.toml name = "warm"']);
});

it('draws a map of settings whose cells lead to transcripts, and says why one has no score', async () => {
  await open(`#/sweeps/${VIEW.id}`);
  const cells = [...document.querySelectorAll<HTMLElement>('[data-map] [data-cell]')];
  expect(cells.map((one) => one.dataset['verdict'])).toEqual(['better', 'baseline', 'worse', 'failed']);
  expect(cells[0]?.textContent?.replace(/\s+/g, ' ')).toContain('0.9000 ▲ +0.4000');
  expect(cells.map((one) => one.getAttribute('href') !== null)).toEqual([true, true, true, true]);
  // To the first task that it lost points at; begun and not scored, to what there is of it.
  const places = cells.map((one) => parsePlace(one.getAttribute('href') ?? ''));
  expect(places.map(({ screen, query }) => [screen, query['part']])).toEqual(cells.map(() => ['runs', 'transcripts']));
  expect(places[0]).toMatchObject({
    rest: ['m/lab/a temperature=0'],
    query: { report: 'r lab/a temperature=0', metric: 'ToolAcc' },
  });
  expect(places[3]?.query['report']).toBeUndefined();
  expect(find('[data-missing="failed"]')?.textContent).toContain('failed: the server is gone');
  // Transcripts of each cell; of one that is scored by its report and what the sweep looks at.
  const leads = [...document.querySelectorAll('[data-transcripts]')].map((link) =>
    parsePlace(link.getAttribute('href') ?? ''),
  );
  expect(leads.map(({ rest, query }) => [rest[0], query['part'], query['report'], query['metric']])).toEqual([
    ['m/lab/a temperature=0', 'transcripts', 'r lab/a temperature=0', 'ToolAcc'],
    ['m/lab/a temperature=0.7', 'transcripts', 'r lab/a temperature=0.7', 'ToolAcc'],
    ['m/openai_compat/b temperature=0', 'transcripts', 'r openai_compat/b temperature=0', 'ToolAcc'],
    ['m/openai_compat/b temperature=0.7', 'transcripts', undefined, undefined],
  ]);
  expect(text()).toContain('over 2 tests');
});

it('shows how far it is, stops it, and continues it', async () => {
  await open(`#/sweeps/${VIEW.id}`);
  expect(find('#cancel-sweep')).toBeNull();
  await press('#continue-sweep');
  expect(asked.start).toEqual([FILE]);
  jobs.tell(going);
  await settle();
  expect(find('[data-under-way]')?.textContent).toContain('Attempt 3 of 9 · about 6.0 s left');
  expect(find('#continue-sweep')).toBeNull();
  await press('#cancel-sweep');
  expect(asked.cancel).toEqual(['a-1']);
  jobs.tell({ ...going, finished: true });
  await settle();
  expect(find('[data-under-way]')).toBeNull();
});

it('is changed in the form, and taken out of the list only when asked twice', async () => {
  await open(`#/sweeps/${VIEW.id}`);
  await press('#remove-sweep');
  expect(asked.forget).toEqual([]);
  await press('[data-answer="confirm"]');
  expect(asked.forget).toEqual([VIEW.id]);
  await open(`#/sweeps?new=1&of=${VIEW.id}`);
  await planned();
  expect(asked.plan.at(-1)).toEqual(FILE);
});

it('goes on with what is made and not scored, and says so', async () => {
  const runs = VIEW.plan.runs.map((run) => ({
    ...run,
    state: 'made' as const,
    outcome: 'completed' as const,
    reason: null,
  }));
  const plan = { ...VIEW.plan, runs, spent: null };
  await open(`#/sweeps/${VIEW.id}`, { view: { ...VIEW, plan } });
  expect(find('[data-missing]')?.textContent).toBe('done, not scored yet');
  expect(find('[data-fact="spent"]')?.textContent).toContain('—: The cost of a run or of its judges is unknown.');
  await press('#continue-sweep');
  expect(asked.start).toEqual([FILE]);
});

it('says that more was spent where a server did not report a call', async () => {
  await open(`#/sweeps/${VIEW.id}`, { view: { ...VIEW, plan: { ...VIEW.plan, is_spent_least: true } } });
  expect(find('[data-fact="spent"]')?.textContent).toContain('at least $1.25');
});

it('shows what is made without starting anything', async () => {
  const runs = VIEW.plan.runs.map((run) => ({ ...run, state: 'made' as const }));
  await open(`#/sweeps?new=1&of=${VIEW.id}`, { plan: { ...VIEW.plan, runs } });
  await planned();
  await press('#start-sweep');
  expect(asked.start).toEqual([]);
  expect(location.hash).toBe(`#/sweeps/${VIEW.id}`);
});

it('plans no texts of one name, nor one that is named none', () => {
  const draft = draftOf(FILE);
  expect(wrongName(draft)).toBeNull();
  const text = (name: string) => ({ without: false, texts: [{ name, text: 'x' }] });
  expect(wrongName({ ...draft, tools: text(' short.txt') })).toEqual({ name: 'short.txt', why: 'twice' });
  expect(wrongName({ ...draft, tools: text('none') })?.why).toBe('none');
  expect(wrongName({ ...draft, tools: text(' ') })?.why).toBe('empty');
});
