// The rooms of the sidebar and the areas that each holds, one a tab. An area's code is fetched when it is first shown, so
// the window starts with what the first room needs.
import Boxes from '@lucide/svelte/icons/boxes';
import Bot from '@lucide/svelte/icons/bot';
import Container from '@lucide/svelte/icons/container';
import FileChartColumn from '@lucide/svelte/icons/file-chart-column';
import Play from '@lucide/svelte/icons/play';
import Settings from '@lucide/svelte/icons/settings';
import type { Component } from 'svelte';
import type { Messages } from '../locales';
import { withWords } from '../shared/locale.svelte';
import { idle } from '../shared/painted';
import { at, type Place, type Query } from '../shared/route.svelte';

export type AreaId = keyof Messages['app']['screens'];

interface Screen {
  default: Component;
}

export interface Area {
  /** First segment of the address, and key of the label. */
  id: AreaId;
  /** The area without `load` is the app's own: runs and their results. */
  load?: () => Screen | Promise<Screen>;
}

export interface Room {
  id: keyof Messages['app']['rooms'];
  icon: Component;
  /** The first is where the sidebar leads. */
  areas: [Area, ...Area[]];
}

/** A screen: on its way the first time, and from then on there, so that nothing is drawn in its place. */
function screen(fetch: () => Promise<Screen>): () => Screen | Promise<Screen> {
  let there: Screen | undefined;
  return () => there ?? fetch().then((fetched) => (there = fetched));
}

const RUNS: Area = { id: 'runs' };
const REPORTS: Area = { id: 'reports', load: screen(() => withWords(import('./ReportsScreen.svelte'))) };
const COMPARE: Area = { id: 'compare', load: screen(() => withWords(import('./CompareScreen.svelte'))) };

export const ROOMS: Room[] = [
  {
    id: 'runs',
    icon: Play,
    areas: [
      RUNS,
      { id: 'sweeps', load: screen(() => withWords(import('../features/sweeps/Screen.svelte'))) },
      { id: 'adaptive', load: screen(() => withWords(import('../features/adaptive/Screen.svelte'))) },
    ],
  },
  {
    id: 'results',
    icon: FileChartColumn,
    areas: [
      REPORTS,
      COMPARE,
      { id: 'atlas', load: screen(() => withWords(import('./AtlasScreen.svelte'))) },
      { id: 'find', load: screen(() => withWords(import('../features/find/Screen.svelte'))) },
      { id: 'judging', load: screen(() => withWords(import('../features/judging/Screen.svelte'))) },
    ],
  },
  {
    id: 'benchmark',
    icon: Boxes,
    areas: [
      { id: 'tasks', load: screen(() => withWords(import('../features/tasks/Screen.svelte'))) },
      { id: 'packs', load: screen(() => withWords(import('../features/packs/Screen.svelte'))) },
      { id: 'drafts', load: screen(() => withWords(import('../features/drafts/Screen.svelte'))) },
    ],
  },
  {
    id: 'models',
    icon: Bot,
    areas: [
      { id: 'models', load: screen(() => withWords(import('../features/models/Screen.svelte'))) },
      { id: 'agents', load: screen(() => withWords(import('../features/agents/Screen.svelte'))) },
    ],
  },
  {
    id: 'scenarios',
    icon: Container,
    areas: [{ id: 'scenarios', load: screen(() => withWords(import('../features/scenarios/Screen.svelte'))) }],
  },
  {
    id: 'settings',
    icon: Settings,
    areas: [
      { id: 'settings', load: screen(() => withWords(import('../features/settings/Screen.svelte'))) },
      { id: 'trash', load: screen(() => withWords(import('../features/trash/Screen.svelte'))) },
    ],
  },
];

export const AREAS: Area[] = ROOMS.flatMap(({ areas }) => areas);

/** The area that an address belongs to. A fork is a page of its run, and the editor's packs are packs. */
export function areaOf({ screen, query }: Place): Area {
  const id = screen === 'packs' && query['edit'] !== undefined ? 'drafts' : screen;
  return AREAS.find((area) => area.id === id) ?? RUNS;
}

export const roomOf = (id: AreaId): Room => ROOMS.find(({ areas }) => areas.some((area) => area.id === id)) as Room;

/** Where an area begins; `query` is what it takes over from another. */
export const addressOf = (id: AreaId, query: Query = {}): string =>
  id === 'drafts' ? at('packs', { edit: '1' }) : at(id, query);

/** What is chosen in the room of results, for each of its areas: reports, or the one that is open, and the lab's runs. */
export function chosenIn({ screen, rest, query }: Place): Query {
  const chosen = { reports: query['reports'] ?? (screen === 'reports' ? rest[0] : undefined), runs: query['runs'] };
  return Object.fromEntries(Object.entries(chosen).filter((entry): entry is [string, string] => !!entry[1]));
}

/** Fetches the code of what people go to next, while nobody waits. Other areas come nearly as fast without, and all stays in memory. */
export async function fetchAhead(): Promise<void> {
  const runs = [() => withWords(import('./RunPage.svelte')), () => withWords(import('./RunDrawer.svelte'))];
  for (const load of [...runs, REPORTS.load, COMPARE.load]) {
    await idle();
    // What could not be fetched now is asked for again, and complained about, when it is shown.
    await Promise.resolve(load?.()).catch(() => undefined);
  }
}
