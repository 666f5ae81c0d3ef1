import { expect, it } from 'vitest';
import type { ModelSummary } from '../../ipc/gen';
import { PUBLISHED_JUDGE, readyJudges } from './offers';

const entry = (id: string, more: Partial<ModelSummary> = {}): ModelSummary => ({
  ...{ id, kind: 'server', default_base_url: null, needs_base_url: false, needs: [] },
  ...more,
});
const azure = (present: boolean) => entry('azure/', { needs: [{ any_of: ['AZURE_API_KEY'], present }] });
const lab = (models: string[]) =>
  entry('lab/', { connection: { name: 'lab', provider: 'openai_compat', base_url: 'http://h/v1', models } });
const weights = entry('local/judge', { kind: 'local' });

it.each<[string, ModelSummary[], string[]]>([
  ['nothing without a key, a connection or weights', [azure(false)], []],
  ['the published judge first', [lab(['m', 'j']), azure(true)], [PUBLISHED_JUDGE, 'lab/j']],
  ['never the judged model', [lab(['m'])], []],
  ['a few of many', [lab(['a', 'b', 'c', 'd', 'm'])], ['lab/a', 'lab/b', 'lab/c']],
  ['one on this computer, last', [weights, entry('local/'), lab(['m', 'j'])], ['lab/j', 'local/judge']],
])('%s', (_, models, ready) => {
  expect(readyJudges(models, 'lab/m')).toEqual(ready);
});
