// The price of a model, by the rules of the engine's price tables (`koab-core/src/price.rs`).
import type { ModelSummary, PriceRow } from '../../ipc/gen';

/** A name without letter case and without the version at its end. */
const plain = (name: string): string => name.trim().toLowerCase().replace(/:\d+$/, '');

/** The closest row: the model's own, else the longest that ends in `*` and fits. */
function closest(id: string, rows: readonly PriceRow[]): PriceRow | null {
  const model = plain(id);
  let best: { row: PriceRow; closeness: number } | null = null;
  for (const row of rows) {
    const name = plain(row.model);
    const start = name.endsWith('*') ? name.slice(0, -1) : null;
    if (start === null ? name !== model : !model.startsWith(start)) continue;
    const closeness = start === null ? Infinity : start.length;
    if (!best || closeness >= best.closeness) best = { row, closeness };
  }
  return best?.row ?? null;
}

/** The price of a model; prices of the user go first. `null` where none is known. */
export function priceOf(id: string, models: readonly ModelSummary[], rows: readonly PriceRow[]): PriceRow | null {
  const connection = models.find(({ connection }) => connection && id.startsWith(`${connection.name}/`))?.connection;
  const model = connection ? connection.provider + id.slice(connection.name.length) : id;
  const find = (own: boolean) =>
    closest(
      model,
      rows.filter((row) => row.own === own),
    );
  return find(true) ?? find(false);
}
