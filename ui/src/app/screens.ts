// The screens, in the order of the navigation. A screen's code is fetched when it is first shown, so the window starts
// with what the first screen needs.
import Boxes from '@lucide/svelte/icons/boxes';
import Bot from '@lucide/svelte/icons/bot';
import Container from '@lucide/svelte/icons/container';
import FileChartColumn from '@lucide/svelte/icons/file-chart-column';
import Gavel from '@lucide/svelte/icons/gavel';
import GitCompareArrows from '@lucide/svelte/icons/git-compare-arrows';
import Grid3x3 from '@lucide/svelte/icons/grid-3x3';
import ListChecks from '@lucide/svelte/icons/list-checks';
import Play from '@lucide/svelte/icons/play';
import Settings from '@lucide/svelte/icons/settings';
import type { Component } from 'svelte';
import type { Messages } from '../locales';
import { idle } from '../shared/painted';

export interface Screen {
  /** First segment of the address, and key of the label. */
  id: keyof Messages['app']['screens'];
  icon: Component;
  /** The screen without `load` is the app's own: runs and their results. */
  load?: () => Promise<{ default: Component }>;
}

export const SCREENS: Screen[] = [
  { id: 'runs', icon: Play },
  { id: 'reports', icon: FileChartColumn, load: () => import('./ReportsScreen.svelte') },
  { id: 'compare', icon: GitCompareArrows, load: () => import('./CompareScreen.svelte') },
  { id: 'atlas', icon: Grid3x3, load: () => import('./AtlasScreen.svelte') },
  { id: 'tasks', icon: ListChecks, load: () => import('../features/tasks/Screen.svelte') },
  { id: 'models', icon: Bot, load: () => import('../features/models/Screen.svelte') },
  { id: 'scenarios', icon: Container, load: () => import('../features/scenarios/Screen.svelte') },
  { id: 'packs', icon: Boxes, load: () => import('./PacksScreen.svelte') },
  { id: 'judging', icon: Gavel, load: () => import('../features/judging/Screen.svelte') },
  { id: 'settings', icon: Settings, load: () => import('../features/settings/Screen.svelte') },
];

/** Fetches the screens' code while nobody waits for anything, so that none has to be waited for when it is shown. */
export async function fetchAhead(): Promise<void> {
  for (const { load } of SCREENS) {
    await idle();
    // What could not be fetched now is asked for again, and complained about, when it is shown.
    await load?.().catch(() => undefined);
  }
}
