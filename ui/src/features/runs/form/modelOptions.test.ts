import { describe, expect, it } from 'vitest';
import type { ModelSummary } from '../../../ipc/gen';
import { entryOf, keepModel, lastModel, modelOptions } from './modelOptions';

const entry = (id: string, kind: ModelSummary['kind'], more: Partial<ModelSummary> = {}): ModelSummary => ({
  id,
  kind,
  default_base_url: null,
  needs_base_url: false,
  needs: [],
  ...more,
});
const lab = { name: 'lab', models: ['gpt-5'] } as unknown as NonNullable<ModelSummary['connection']>;
const MODELS = [
  entry('baseline/golden', 'baseline'),
  entry('openai/', 'server', { needs: [{ any_of: ['OPENAI_API_KEY'], present: false }] }),
  entry('local/Qwen/Q', 'local'),
  entry('lab/', 'server', { connection: lab }),
];
const WORDS = {
  connections: 'Connections',
  baseline: 'Baselines',
  local: 'Local',
  server: 'Servers',
  otherModel: 'another model…',
  lacksKey: (names: string) => `needs ${names}`,
};

it('models of connections come first, and a missing key is named', () => {
  expect(modelOptions(MODELS, WORDS)).toEqual([
    { value: 'lab/gpt-5', group: 'Connections: lab' },
    { value: 'lab/', text: 'lab/ another model…', group: 'Connections: lab' },
    { value: 'baseline/golden', group: 'Baselines' },
    { value: 'local/Qwen/Q', group: 'Local' },
    { value: 'openai/', text: 'openai/…', group: 'Servers', lack: 'needs OPENAI_API_KEY' },
  ]);
});

describe('what was chosen is an entry and a name', () => {
  it.each([
    ['baseline/golden', { model: 'baseline/golden', name: '' }],
    ['local/Qwen/Q', { model: 'local/Qwen/Q', name: '' }],
    ['lab/gpt-5', { model: 'lab/', name: 'gpt-5' }],
    ['lab/not-listed', { model: 'lab/', name: 'not-listed' }],
    ['openai/', { model: 'openai/', name: '' }],
    ['OpenAI/gpt-5', { model: 'openai/', name: 'gpt-5' }],
    ['nobody/x', null],
    ['gpt', null],
  ])('%s', (id, row) => {
    expect(entryOf(id, MODELS)).toEqual(row);
  });

  it.each([
    ['lab/gpt-5', { model: 'lab/', name: 'gpt-5' }],
    ['gone/x', null],
  ])('%s as the one that was used last', (id, row) => {
    keepModel(id);
    expect(lastModel(MODELS)).toEqual(row);
    localStorage.clear();
  });
});
