// The models that the form of a new run offers, and the one that was used last.
import type { ModelSummary } from '../../../ipc/gen';
import { providersOf } from '../../../shared/connections/draft.svelte';
import { missingKeys, providerOf } from '../../../shared/connections/provider';
import type { SearchOption } from '../../../shared/search/options';
import type { ModelDraft } from './draft';

/** Words of the locale that the options are made with. */
export interface OptionWords {
  connections: string;
  baseline: string;
  local: string;
  server: string;
  otherModel: string;
  lacksKey: (names: string) => string;
}

/** The models of each connection, then baselines, models on this computer and providers. */
export function modelOptions(models: readonly ModelSummary[], words: OptionWords): SearchOption[] {
  const lackOf = (model: ModelSummary | undefined): Pick<SearchOption, 'lack'> => {
    const keys = missingKeys(model).map((names) => names.join(' / '));
    return keys.length > 0 ? { lack: words.lacksKey(keys.join(', ')) } : {};
  };
  const own = models.flatMap((entry) => {
    if (!entry.connection) return [];
    const { name, models: names } = entry.connection;
    const group = `${words.connections}: ${name}`;
    const listed = names.map((model): SearchOption => ({ value: `${name}/${model}`, group, ...lackOf(entry) }));
    return [...listed, { value: `${name}/`, text: `${name}/ ${words.otherModel}`, group }];
  });
  const rest = (entries: readonly ModelSummary[], group: string) =>
    entries.map((entry): SearchOption => {
      const isOpen = entry.id.endsWith('/');
      return { value: entry.id, group, ...(isOpen ? { text: `${entry.id}…` } : {}), ...lackOf(entry) };
    });
  return [
    ...own,
    ...rest(
      models.filter(({ kind }) => kind === 'baseline'),
      words.baseline,
    ),
    ...rest(
      models.filter(({ kind }) => kind === 'local'),
      words.local,
    ),
    ...rest(providersOf(models), words.server),
  ];
}

/** The entry and the name within it of what was chosen: `lab/gpt-5` is `gpt-5` of the entry `lab/`. */
export function entryOf(id: string, models: readonly ModelSummary[]): Pick<ModelDraft, 'model' | 'name'> | null {
  if (models.some((model) => model.id === id)) return { model: id, name: '' };
  const entry = providerOf(id, models) ?? models.find((model) => model.connection && id.startsWith(model.id));
  return entry ? { model: entry.id, name: id.slice(entry.id.length) } : null;
}

const STORED = 'koab.lastModel';

/** Keeps the model of a run that was started, for the next form. */
export function keepModel(id: string): void {
  localStorage.setItem(STORED, id);
}

/** The model of the run that was started last, where it is still offered. */
export function lastModel(models: readonly ModelSummary[]): Pick<ModelDraft, 'model' | 'name'> | null {
  const id = localStorage.getItem(STORED);
  return id === null ? null : entryOf(id, models);
}
