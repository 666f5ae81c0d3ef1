// Links into the product: `koab://run/<id>`, `koab://report/<id>`, `koab://compare?reports=a,b`, `koab://import?path=…`.
// Anybody can write one, so a link only shows things: what would change something is asked first.
import { at, parsePlace } from '../shared/route.svelte';

/** Where a link leads: a place, or files that may be imported. */
export type Target = { address: string } | { files: string } | { importing: true };

const SCREENS: Record<string, string> = {
  run: 'runs',
  report: 'reports',
  compare: 'compare',
  model: 'models',
  pack: 'packs',
  fork: 'forks',
  help: 'help',
};

/** What a link means; `null` where it means nothing here. */
export function targetOf(link: string): Target | null {
  const [, path] = /^koab:\/*(.*)$/is.exec(link) ?? [];
  if (path === undefined) return null;
  const { screen, rest, query } = parsePlace(path);
  const { path: files } = query;
  if (screen === 'import') return files ? { files } : { importing: true };
  const area = SCREENS[screen];
  if (!area) return null;
  // A link that names nothing of an area leads to the area itself. Only what a selection is made of goes along.
  return { address: at(area, ...rest, query.reports ? { reports: query.reports } : {}) };
}
