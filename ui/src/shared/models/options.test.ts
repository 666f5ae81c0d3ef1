import { beforeEach, describe, expect, it } from 'vitest';
import type { ModelSummary } from '../../ipc/gen';
import { keepUsed, lastUsed } from './lastUsed';
import { entryOf, lastModel, modelOptions } from './options';

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
  entry('openai/', 'server'),
  entry('local/Qwen/Q', 'local'),
  entry('lab/', 'server', { connection: lab }),
];
const about = (id: string) => (id === 'openai/' ? { warning: 'no key' } : {});

beforeEach(() => localStorage.clear());

describe('models are offered', () => {
  it('those of connections first, each with what is known of it', () => {
    expect(modelOptions(MODELS, [], about)).toEqual([
      { value: 'lab/gpt-5', group: 'Connections: lab' },
      { value: 'lab/', text: 'lab/ another model…', group: 'Connections: lab' },
      { value: 'baseline/golden', group: 'Baselines' },
      { value: 'local/Qwen/Q', group: 'Local' },
      { value: 'openai/', text: 'openai/…', group: 'Servers', warning: 'no key' },
    ]);
  });

  it('those that were used last before them, once and while they can be chosen', () => {
    const used = ['openai/gpt-5', 'baseline/golden', 'gone/x'];
    const [first, second, third, ...rest] = modelOptions(MODELS, used, about);
    expect([first, second]).toEqual([
      { value: 'openai/gpt-5', group: 'Last used' },
      { value: 'baseline/golden', group: 'Last used' },
    ]);
    expect([third, ...rest].map((option) => option?.value)).toEqual(['lab/gpt-5', 'lab/', 'local/Qwen/Q', 'openai/']);
  });
});

it('five names are kept, each once, the last one first', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'b']) keepUsed('judge', [name]);
  expect(lastUsed('judge')).toEqual(['b', 'f', 'e', 'd', 'c']);
  expect(lastUsed('model')).toEqual([]);
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
  ])('%s', (id, choice) => {
    expect(entryOf(id, MODELS)).toEqual(choice);
  });

  it.each([
    ['lab/gpt-5', { model: 'lab/', name: 'gpt-5' }],
    ['gone/x', null],
  ])('%s as the one that was used last', (id, choice) => {
    keepUsed('model', [id]);
    expect(lastModel(MODELS)).toEqual(choice);
  });
});
