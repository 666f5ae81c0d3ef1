// The entry of the list of models behind a name, and the keys that it lacks.
import type { ModelSummary } from '../../ipc/gen';

/** The entry of the list that a model or judge `provider/model` belongs to; a provider's letter case does not matter. */
export function providerOf(id: string, models: readonly ModelSummary[]): ModelSummary | undefined {
  return models.find((model) => model.id === `${id.replace(/\/.*$/, '').toLowerCase()}/`);
}

/** Names of keys and settings that are not set; of each group one is enough. */
export function missingKeys(model: ModelSummary | undefined): string[][] {
  return (model?.needs ?? []).filter(({ present }) => !present).map(({ any_of }) => any_of);
}
