// What the user can have done from anywhere: the palette and the menu offer it.
import { LANGUAGE_NAMES, languageName, type Messages } from '../locales';
import type { Platform } from '../platform/types';
import { locale } from '../shared/locale.svelte';
import { at, route } from '../shared/route.svelte';
import { nameOf, workspaces } from '../shared/workspaces.svelte';
import { preferences } from '../shared/preferences.svelte';
import { appearance, THEMES } from '../shared/theme.svelte';
import type { Imports } from './imports.svelte';
import type { Overlay } from './overlay.svelte';
import type { Session } from './session.svelte';
import { NEW_RUN, NEW_SWEEP, pressesOf } from './shortcuts';

export interface Action {
  id: string;
  title: string;
  /** What it is about now, such as the model of a run. */
  detail?: string | undefined;
  /** Other words that find it. */
  words?: string;
  presses?: string[][] | null;
  run: () => void;
}

/** The app, as far as actions reach into it. */
export interface Reach {
  session: Session;
  imports: Imports;
  overlay: Overlay;
  platform: Platform;
}

/** So many other workspaces are offered. */
const RECENT = 3;

/** What can be done now, in the language shown now. */
export function actions(reach: Reach): Action[] {
  const t = locale.t.app.actions;
  return [...ofRuns(reach, t), ...ofFiles(reach, t), ...ofWindow(t), ...help(reach, t)];
}

type Words = Messages['app']['actions'];

function ofRuns({ session }: Reach, t: Words): Action[] {
  const { queue } = session;
  const { current } = queue.now;
  const start: Action = {
    id: 'start',
    title: t.start,
    words: t.words.start,
    presses: pressesOf('start'),
    run: () => route.go(NEW_RUN),
  };
  const sweep: Action = { id: 'sweep', title: t.sweep, words: t.words.sweep, run: () => route.go(NEW_SWEEP) };
  if (!current) return [start, sweep];
  const detail = current.model || undefined;
  const cancel: Action = {
    id: 'cancel',
    title: current.scoring ? t.stopScoring : t.cancel,
    detail,
    words: t.words.cancel,
    run: () => void queue.cancel(current.run),
  };
  if (current.scoring) return [cancel, start, sweep];
  const hold: Action = current.paused
    ? { id: 'unpause', title: t.unpause, detail, words: t.words.unpause, run: () => void queue.unpause(current.run) }
    : { id: 'pause', title: t.pause, detail, words: t.words.pause, run: () => void queue.pause(current.run) };
  return [hold, cancel, start, sweep];
}

function ofFiles({ imports, platform, session }: Reach, t: Words): Action[] {
  const found: Action[] = [
    {
      id: 'import',
      title: locale.t.app.import.button,
      words: t.words.import,
      presses: pressesOf('import'),
      run: imports.open,
    },
  ];
  const home = session.info?.home;
  // A page in a browser cannot open a folder.
  if (home && platform.host === 'window') {
    const open = () => void platform.open(home).catch((error: unknown) => session.failed(error));
    found.push({ id: 'workspace', title: t.openWorkspace, detail: home, words: t.words.workspace, run: open });
  }
  return [...found, ...ofWorkspaces(platform, session)];
}

/** Other workspaces, each in a window of its own. */
function ofWorkspaces({ openWorkspace, pick }: Platform, session: Session): Action[] {
  if (!openWorkspace) return [];
  const t = locale.t.workspaces;
  const open = (folder: string) => openWorkspace(folder, false).catch((error: unknown) => session.failed(error));
  const choose = () =>
    pick({ title: t.otherTitle, folders: true }).then(
      ([folder]) => (folder === undefined ? undefined : open(folder)),
      session.failed,
    );
  return [
    ...workspaces.others.slice(0, RECENT).map(({ folder }, index): Action => ({
      id: `workspace-${index}`,
      title: t.action(nameOf(folder)),
      detail: folder,
      words: t.words,
      run: () => void open(folder),
    })),
    { id: 'workspace-other', title: t.actionOther, words: t.words, run: () => void choose() },
  ];
}

function ofWindow(t: Words): Action[] {
  const languages = Object.keys(LANGUAGE_NAMES).filter((language) => language !== locale.language);
  return [
    ...languages.map((language): Action => ({
      id: `language-${language}`,
      title: t.language(languageName(language, language)),
      words: t.words.language,
      run: () => void preferences.change({ language }),
    })),
    ...THEMES.filter((theme) => theme !== appearance.theme).map((theme): Action => ({
      id: `theme-${theme}`,
      title: t.theme(locale.t.app.themes[theme]),
      words: t.words.themes[theme],
      run: () => void preferences.change({ theme }),
    })),
  ];
}

function help({ overlay }: Reach, t: Words): Action[] {
  return [
    {
      id: 'shortcuts',
      title: t.shortcuts,
      words: t.words.shortcuts,
      presses: pressesOf('help'),
      run: () => overlay.show('shortcuts'),
    },
    {
      id: 'glossary',
      title: t.glossary,
      words: t.words.glossary,
      presses: pressesOf('glossary'),
      run: () => overlay.show('glossary'),
    },
    { id: 'guide', title: t.guide, words: t.words.guide, presses: pressesOf('guide'), run: () => route.go(at('help')) },
    { id: 'about', title: t.about, words: t.words.about, run: () => overlay.show('about') },
  ];
}
