// A model that another screen offers for a run, by the address: `#/runs?model=ollama/qwen3:8b&base_url=http://localhost:11434/v1`,
// or `#/runs?model=local/Qwen/Qwen3-8B&settings={"precision":"8bit"}` with how a model inside the application runs.
import type { ModelSummary } from '../../../ipc/gen';
import { providerOf } from '../../../shared/connections/provider';
import type { Query } from '../../../shared/route.svelte';
import { settingsIn } from '../../../shared/localModel/settings';
import { draftOf, type ModelDraft } from './draft';

/** The row of the form for it; `null` when nothing is asked for, or no entry of the list fits. */
export function wantedRow({ model, base_url, settings }: Query, models: readonly ModelSummary[]): ModelDraft | null {
  if (!model) return null;
  const entry = models.find(({ id }) => id === model) ?? providerOf(model, models);
  if (!entry) return null;
  const row = draftOf(entry);
  return {
    ...row,
    name: entry.id.endsWith('/') ? model.slice(entry.id.length) : row.name,
    baseUrl: base_url ?? row.baseUrl,
    local: { ...row.local, ...settingsIn(settings) },
  };
}
