import { expect, it, vi } from 'vitest';
import type { DraftChange, DraftChanged, DraftItemView, DraftOpened, DraftReview, Fault } from '../../ipc/gen';
import type { FakeOptions } from '../../platform/fake';
import { findingForTests } from '../../shared/findingForTests';
import { at, route } from '../../shared/route.svelte';
import { find, openScreen, put, screensForTests, settle, text } from '../../shared/screenForTests';
import Screen from './Screen.svelte';

screensForTests();

const PARAMETERS =
  '{"type":"object","properties":{"query":{"type":"string"},"x":{"type":"number"}},"required":["query"]}';
const TASK =
  '{\n  "task_id": "L1-001",\n  "instruction": "찾아 줘",\n  "golden_action": [{"tool": "Memo", "args": {"query": "우산", "x": 127.0}}],\n  "note": {"a": 1}\n}';

const head = { title: '메모', source: '', licence: '' };
const task = {
  key: 1,
  level: 'L1',
  id: 'L1-001',
  instruction: '찾아 줘',
  tools: ['Memo'],
  errors: 0,
  warnings: 1,
  calls: 1,
  answered: 1,
} as const;
const OPENED: DraftOpened = {
  name: 'mine',
  revision: 4,
  base: 'mine@1+abc',
  next_version: 2,
  changed: true,
  head,
  judge_prompts: 'sr: {}',
  tasks: [
    { ...task, tools: ['Memo'] },
    { ...task, tools: ['Memo'], key: 2, id: 'L1-002', instruction: '없는 것', errors: 1 },
  ],
  tools: [
    {
      key: 3,
      name: 'Memo',
      description: '메모',
      parameters: PARAMETERS,
      errors: 0,
      warnings: 0,
      used_by: 2,
      records: 2,
      own_records: 1,
    },
  ],
  problems: [],
};
const hit = { kind: 'hit', key: 'k', stale: false, recorded_at: '2026-11-21T00:00:00' } as const;
const VIEW: DraftItemView = {
  key: 1,
  level: 'L1',
  text: TASK,
  problems: [
    findingForTests<Fault>({
      code: 'form',
      severity: 'warning',
      field: 'golden_action[0].args.x',
      sentence: 'is odd',
      remedy: 'Mend it.',
    }),
  ],
  calls: [{ place: 'golden_action[0]', tool: 'Memo', arguments: '{"query": "우산"}', placeholders: [], answer: hit }],
  impact: null,
};

/** An engine that keeps every change; `made` are those that it was asked for. */
function engine(over: FakeOptions['answers'] = {}) {
  const made: DraftChange[] = [];
  let revision = OPENED.revision;
  const draft_change = vi.fn(({ change }: { change: DraftChange; revision: number }): DraftChanged => {
    made.push(change);
    revision += 1;
    const written = change.kind === 'put_task' ? { ...VIEW, text: change.text } : VIEW;
    return { kind: 'kept', revision, item: written };
  });
  const answers: FakeOptions['answers'] = {
    draft_open: () => ({ ...OPENED, revision }),
    draft_item: ({ key }) => ({ ...VIEW, key }),
    draft_change,
    draft_records: () => ({ count: 0, rows: [] }),
    ...over,
  };
  return { made, draft_change, answers };
}

const open = (query: Record<string, string>, options: FakeOptions) =>
  openScreen(Screen, { at: at('packs', { edit: '1', draft: 'mine', ...query }), ...options });

const pause = async () => {
  await vi.advanceTimersByTimeAsync(500);
  await settle();
};

it('what is typed is kept by itself, with numbers as they were, and says so until then', async () => {
  const { made, answers } = engine();
  await open({}, { answers });
  expect(find('[data-keeping="kept"]')).not.toBeNull();
  await put('textarea[name="instruction"]', '우산을 찾아 줘');
  expect(find('[data-keeping="waiting"]')).not.toBeNull();
  await pause();
  expect(made).toHaveLength(1);
  const [change] = made;
  if (change?.kind !== 'put_task') throw new Error('no task was put');
  expect(change.text).toContain('"instruction": "우산을 찾아 줘"');
  expect(change.text).toContain('"x": 127.0');
  expect(find('[data-keeping="kept"]')).not.toBeNull();
});

it('each problem stands at its field with what to do, and a call says whether it is recorded', async () => {
  await open({}, engine());
  const problem = find('[data-problem="golden_action[0].args.x"]');
  expect(problem?.textContent).toContain('Mend it.');
  expect(find<HTMLInputElement>('[data-argument="x"]')?.getAttribute('aria-invalid')).toBe('true');
  expect(find('[data-call="golden_action[0]"] [data-answer="hit"]')).not.toBeNull();
  expect(find<HTMLTextAreaElement>('textarea[name="note"]')?.value).toBe('{\n  "a": 1\n}');
});

it('an argument is taken over in its type', async () => {
  const { made, answers } = engine();
  await open({}, { answers });
  await put('[data-argument="query"]', '7');
  await put('[data-argument="x"]', '36.0');
  await pause();
  const last = made.at(-1);
  expect(last?.kind === 'put_task' && last.text).toContain('"query": "7"');
  expect(last?.kind === 'put_task' && last.text).toContain('"x": 36.0');
});

it('half-done JSON is kept too, and the form says that it cannot show it', async () => {
  const { made, answers } = engine();
  await open({ view: 'json' }, { answers });
  await put('[data-json]', '{"task_id": ');
  await pause();
  expect(made).toEqual([{ kind: 'put_task', key: 1, level: 'L1', text: '{"task_id": ' }]);
  find('[data-how="form"]')?.click();
  await settle();
  expect(text()).toContain('The text is not valid JSON');
});

it('a change to what another window changed is not made; both ways out are offered', async () => {
  const { made, answers, draft_change } = engine();
  draft_change.mockImplementationOnce(() => ({ kind: 'stale', revision: 9 }));
  await open({}, { answers: { ...answers, draft_open: () => ({ ...OPENED, revision: 9 }) } });
  await put('textarea[name="instruction"]', '내 말');
  await pause();
  expect(find('[data-stale]')?.textContent).toContain('changed in another window');
  expect(find<HTMLButtonElement>('#draft-save')?.disabled).toBe(true);
  expect(made).toHaveLength(0);
  find('#keep-mine')?.click();
  await pause();
  expect(made).toHaveLength(1);
  expect(find('[data-stale]')).toBeNull();
});

it('the list is searched and gone through by keys, and what was deleted comes back', async () => {
  const { made, answers } = engine();
  await open({}, { answers });
  await put('#item-search', '없는');
  expect(document.querySelectorAll('[data-item]')).toHaveLength(1);
  await put('#item-search', '');
  const first = find('[data-item="1"]');
  first?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
  await settle();
  expect(route.place.query['item']).toBe('2');
  const composed = new KeyboardEvent('keydown', { key: 'Delete', bubbles: true, isComposing: true });
  find('[data-item="2"]')?.dispatchEvent(composed);
  await settle();
  expect(made).toEqual([]);
  find('[data-item="2"]')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', bubbles: true }));
  await settle();
  find('#undo-remove')?.click();
  await settle();
  expect(made).toEqual([
    { kind: 'remove', key: 2 },
    { kind: 'restore', key: 2 },
  ]);
});

it('before a version is saved, what changes and what is wrong is shown; faults keep it from being saved', async () => {
  const none = { added: [], changed: [], removed: [], moved: false };
  const review: DraftReview = {
    revision: 4,
    next_version: 2,
    base: 'mine@1+abc',
    changes: { tasks: { ...none, added: ['L1-002'] }, tools: none, judge_prompts: false, head: true, records: 1 },
    findings: [
      {
        key: 2,
        name: 'L1-002',
        tool: false,
        problem: findingForTests<Fault>({
          code: 'form',
          field: 'instruction',
          sentence: 'is empty',
          remedy: 'Write it.',
        }),
      },
    ],
    sound: false,
    impacts: [{ tool: 'Memo', records: 3, stale: 3, found: 2 }],
    calls: 2,
    answered: 1,
  };
  const pack = {
    name: 'mine',
    version: '2+def',
    title: '',
    licence: '',
    sample: false,
    active: true,
    levels: [],
    tools: 1,
    records: 1,
    kind: null,
    groups: [],
  };
  const draft_save = vi.fn(() => ({ kind: 'saved', pack, sha256: 'f'.repeat(64) }) as const);
  let sound = false;
  const draft_review = () => ({ ...review, sound, findings: sound ? [] : review.findings });
  await open({}, { answers: { ...engine().answers, draft_review, draft_save } });
  find('#draft-save')?.click();
  await settle();
  const dialog = () => find('[role="dialog"]')?.textContent ?? '';
  expect(dialog()).toContain('L1-002');
  expect(dialog()).toContain('1 error must be fixed first');
  expect(dialog()).toContain('3 of its 3 cached responses become stale');
  expect(dialog()).toContain('1 can no longer be found');
  expect(find<HTMLButtonElement>('#save-version')?.disabled).toBe(true);
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await settle();
  sound = true;
  find('#draft-save')?.click();
  await settle();
  find('#save-version')?.click();
  await settle();
  expect(draft_save).toHaveBeenCalledWith({ name: 'mine', revision: 4 });
  expect(find('[data-saved]')?.textContent).toContain('mine@2+def');
});

it('a new pack is begun with a name, and a name that is taken is said to be', async () => {
  const drafts_list = () => ({ drafts: [], own: [] });
  const error = { code: 'bad_request', message: 'give the copy another name' } as const;
  const draft_create = vi.fn();
  await openScreen(Screen, {
    at: at('packs', { edit: '1', copy: 'starter' }),
    answers: { drafts_list },
    failing: { draft_create: error },
  });
  expect(text()).toContain('No packs of your own');
  expect(find<HTMLInputElement>('#draft-name')?.value).toBe('my-starter');
  find<HTMLFormElement>('#new-draft')?.requestSubmit();
  await settle();
  expect(text()).toContain('give the copy another name');
  expect(draft_create).not.toHaveBeenCalled();
});

it('a response is written by hand, and what is wrong with it stands at its field', async () => {
  const { made, answers, draft_change } = engine();
  const miss = { kind: 'miss', key: 'k', nearest: null } as const;
  const call = {
    ...VIEW.calls[0],
    place: 'golden_action[0]',
    tool: 'Memo',
    arguments: '{}',
    placeholders: [],
    answer: miss,
  };
  await open({}, { answers: { ...answers, draft_item: ({ key }) => ({ ...VIEW, key, calls: [call] }) } });
  find('[data-respond]')?.click();
  await settle();
  await put('#response-text', '{');
  draft_change.mockImplementationOnce(() => ({
    kind: 'refused',
    problems: [
      findingForTests<Fault>({
        code: 'not_json',
        field: 'response',
        sentence: 'is not JSON',
        remedy: 'Write it as JSON.',
      }),
    ],
  }));
  find<HTMLFormElement>('#response-form')?.requestSubmit();
  await settle();
  expect(find('[data-problem="response"]')?.textContent).toContain('Write it as JSON.');
  await put('#response-text', '{"price": 1.0}');
  find<HTMLFormElement>('#response-form')?.requestSubmit();
  await settle();
  expect(made).toEqual([
    {
      kind: 'put_record',
      tool: 'Memo',
      arguments: '{\n  "query": "우산",\n  "x": 127.0\n}',
      response: '{"price": 1.0}',
    },
  ]);
  expect(find('#response-form')).toBeNull();
});

it('a cached response is changed as it was written, numbers included', async () => {
  const row = { arguments: '{"query": "우산"}', own: false, stale: false, recorded_at: '2026-11-01T00:00:00' };
  const draft_response = vi.fn(() => '{\n  "price": 142350000.0\n}');
  const { answers } = engine({ draft_records: () => ({ count: 1, rows: [row] }), draft_response });
  const tool = {
    ...VIEW,
    key: 3,
    level: null,
    text: `{"name": "Memo", "description": "메모", "parameters": ${PARAMETERS}}`,
    calls: [],
    problems: [],
  };
  await open({ part: 'tools' }, { answers: { ...answers, draft_item: () => tool } });
  find('[data-record] button')?.click();
  await settle();
  expect(draft_response).toHaveBeenCalledWith({ name: 'mine', tool: 'Memo', arguments: row.arguments });
  expect(find<HTMLTextAreaElement>('#response-text')?.value).toBe('{\n  "price": 142350000.0\n}');
});

it('why a response is not kept is said in its dialog, which goes on once it is', async () => {
  let failing = true;
  const draft_change = vi.fn((): DraftChanged => {
    if (failing) throw { code: 'storage', message: 'the disk is full' };
    return { kind: 'kept', revision: 5, item: VIEW };
  });
  const row = { arguments: '{"query": "우산"}', own: false, stale: false, recorded_at: '2026-11-01T00:00:00' };
  const { answers } = engine({
    draft_change,
    draft_records: () => ({ count: 1, rows: [row] }),
    draft_response: () => '{}',
  });
  const tool = {
    ...VIEW,
    key: 3,
    level: null,
    text: `{"name": "Memo", "description": "메모", "parameters": ${PARAMETERS}}`,
    calls: [],
    problems: [],
  };
  await open({ part: 'tools' }, { answers: { ...answers, draft_item: () => tool } });
  find('[data-record] button')?.click();
  await settle();
  find<HTMLFormElement>('#response-form')?.requestSubmit();
  await settle();
  expect(find('#response-form [role="alert"]')?.textContent).toContain('the disk is full');
  failing = false;
  find('#response-form [role="alert"] button')?.click();
  await settle();
  expect(find('#response-form')).toBeNull();
});
