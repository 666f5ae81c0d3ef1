// The models that a field offers, and the one that was used last.
import type { ModelSummary } from '../../ipc/gen';
import { providersOf } from '../connections/draft.svelte';
import { providerOf } from '../connections/provider';
import { locale } from '../locale.svelte';
import type { SearchOption } from '../search/options';
import type { About } from './about.svelte';
import { lastUsed } from './lastUsed';

/** An entry of the list and the name within it: `lab/gpt-5` is `gpt-5` of the entry `lab/`. */
export interface ModelChoice {
  model: string;
  name: string;
}

/** These come first, below a heading, and are listed once. */
export function usedFirst(options: readonly SearchOption[], used: readonly SearchOption[]): SearchOption[] {
  const group = locale.t.connections.lastUsed;
  const values = used.map(({ value }) => value);
  return [...used.map((option) => ({ ...option, group })), ...options.filter(({ value }) => !values.includes(value))];
}

/** The models of each connection, then baselines, models on this computer and providers; before them those of `used`. */
export function modelOptions(
  models: readonly ModelSummary[],
  used: readonly string[],
  about: (id: string) => About,
): SearchOption[] {
  const t = locale.t.runs.form;
  const own = models.flatMap(({ connection }) => {
    if (!connection) return [];
    const { name, models: names } = connection;
    const group = `${locale.t.words.connections}: ${name}`;
    const listed = names.map((model): SearchOption => {
      const value = `${name}/${model}`;
      return { value, group, ...about(value) };
    });
    return [...listed, { value: `${name}/`, text: `${name}/ ${locale.t.connections.otherModel}`, group }];
  });
  const rest = (entries: readonly ModelSummary[], group: string) =>
    entries.map(({ id }): SearchOption => {
      return { value: id, group, ...(id.endsWith('/') ? { text: `${id}…` } : {}), ...about(id) };
    });
  const all = [
    ...own,
    ...rest(
      models.filter(({ kind }) => kind === 'baseline'),
      t.baseline,
    ),
    ...rest(
      models.filter(({ kind }) => kind === 'local'),
      t.local,
    ),
    ...rest(providersOf(models), t.server),
  ];
  return usedFirst(
    all,
    used.filter((id) => entryOf(id, models)).map((value) => ({ value, ...about(value) })),
  );
}

/** The entry and the name within it of what was chosen. */
export function entryOf(id: string, models: readonly ModelSummary[]): ModelChoice | null {
  if (models.some((model) => model.id === id)) return { model: id, name: '' };
  const entry = providerOf(id, models) ?? models.find((model) => model.connection && id.startsWith(model.id));
  return entry ? { model: entry.id, name: id.slice(entry.id.length) } : null;
}

/** The model of the run that was started last, where it is still offered. */
export function lastModel(models: readonly ModelSummary[]): ModelChoice | null {
  const [id] = lastUsed('model');
  return id === undefined ? null : entryOf(id, models);
}
