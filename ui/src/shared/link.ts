// The address of a place as it is written down elsewhere: of the page in a browser, `koab://…` from the window of the app.
import { parsePlace } from './route.svelte';

/** Words of links and the screens that they open. */
export const SCREENS: Record<string, string> = {
  run: 'runs',
  report: 'reports',
  compare: 'compare',
  atlas: 'atlas',
  model: 'models',
  pack: 'packs',
  fork: 'forks',
  help: 'help',
};

/** What a link may say of a screen: which reports, and what of them is shown. Nothing else goes along. */
export const SHOWN = [
  'reports',
  'tab',
  'row',
  'q',
  'level',
  'failed',
  'sort',
  'of',
  'by',
  'owner',
  'cause',
  'any',
  'fault',
];

/** `address` is one of `route`: `#/reports/…`. */
export function linkTo(address: string, page: Location = location): string {
  const isWindow = !page.protocol.startsWith('http') || page.hostname === 'tauri.localhost';
  if (!isWindow) return `${page.origin}${page.pathname}${address}`;
  const { screen } = parsePlace(address);
  const word = Object.keys(SCREENS).find((one) => SCREENS[one] === screen) ?? screen;
  return `koab://${word}${address.slice(`#/${screen}`.length)}`;
}
