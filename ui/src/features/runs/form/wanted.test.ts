import { expect, it } from 'vitest';
import type { ModelSummary } from '../../../ipc/gen';
import { addressOf, USUAL, type LocalDraft } from '../../../shared/localModel/settings';
import { wantedRow } from './wanted';

const entry = (id: string, address: string | null = null): ModelSummary => ({
  id,
  kind: id.endsWith('/') ? 'server' : 'baseline',
  default_base_url: address,
  needs_base_url: false,
  needs: [],
});
const MODELS = [entry('baseline/golden'), entry('ollama/', 'http://localhost:11434/v1'), entry('openai_compat/')];

it('a model of the address becomes a row of the form, and what fits no entry becomes none', () => {
  expect(wantedRow({ model: 'ollama/hf.co/a/b:q4' }, MODELS)).toMatchObject({
    model: 'ollama/',
    name: 'hf.co/a/b:q4',
    baseUrl: 'http://localhost:11434/v1',
  });
  expect(wantedRow({ model: 'openai_compat/m', base_url: 'http://localhost:1/v1' }, MODELS)).toMatchObject({
    name: 'm',
    baseUrl: 'http://localhost:1/v1',
  });
  expect(wantedRow({ model: 'baseline/golden' }, MODELS)).toMatchObject({ model: 'baseline/golden', name: '' });
  expect(wantedRow({ model: 'nobody/m' }, MODELS)).toBeNull();
  expect(wantedRow({}, MODELS)).toBeNull();
  const draft: LocalDraft = { ...USUAL, precision: '8bit', context: 8192, toolForm: 'hermes' };
  expect(wantedRow({ model: 'baseline/golden', ...addressOf(draft) }, MODELS)?.local).toEqual(draft);
  expect(addressOf(USUAL)).toEqual({});
  const nonsense = [
    '{',
    '[]',
    'null',
    '{"precision":"7bit","context":-1,"device":"tpu","constrained":"yes","name":"x"}',
  ];
  for (const settings of nonsense)
    expect(wantedRow({ model: 'baseline/golden', settings }, MODELS)?.local).toEqual(USUAL);
});
