import type { BesideFile, RunEvent, WireError } from '../ipc/gen';
import type { Connection } from './connection';
import type { Uploads } from './uploads.svelte';

/** Takes a batch of what goes on, oldest first: events of a run, or jobs. */
export type OnEvents<E = RunEvent> = (events: E[]) => void;

/** Files to choose from: none of these means any file. */
export interface PickOptions {
  /** Window title of the dialog. */
  title: string;
  /** Endings without the dot. */
  extensions?: string[];
  /** Folders instead of files. */
  folders?: boolean;
}

/** Updates of the window, as far as they are known. */
export interface UpdatesView {
  /** Whom it asks. */
  hosts: string[];
  /** Whether the server may be asked; `null` until the user has said so. */
  wanted: boolean | null;
  /** When it last answered, in milliseconds since 1970. */
  asked_ms: number | null;
  /** The version that can be installed. */
  found: string | null;
  /** The version that the next start has. */
  installed: string | null;
}

export interface HostUpdates {
  /** `null` in a build that has none. */
  view(): Promise<UpdatesView | null>;
  want(wanted: boolean): Promise<UpdatesView>;
  /** Asks the server: `now`, or only if the user wants it and the last answer is a day old. */
  look(now: boolean): Promise<UpdatesView>;
  /** Installs what was found; the next start has it. */
  install(): Promise<UpdatesView>;
}

/**
 * What the UI asks of the program around it. One file per host implements it; nothing else in the UI knows which host
 * it runs in. Command names and argument shapes are typed one floor up, in `ipc/client.ts`.
 */
export interface Platform {
  /** `window` in the product's own window, `browser` behind `koab serve`. */
  readonly host: 'window' | 'browser';
  /** Whether the program behind the page answers; the window has none, it ends with its program. */
  readonly connection?: Connection;
  /** Files on their way from the page; the window reads them where they are. */
  readonly uploads?: Uploads;
  /**
   * Calls a command; rejects with whatever the host rejects with (see `ipc/errors.ts`). One that is `left` need not be
   * answered.
   */
  call(command: string, args: Record<string, unknown>, left?: AbortSignal): Promise<unknown>;
  /** Calls a command that also sends batches of what goes on, before and after it has answered. */
  stream<E>(command: string, args: Record<string, unknown>, onEvents: OnEvents<E>): Promise<unknown>;
  /** Asks `mayClose` whenever the user closes the window; `false` keeps it open. Returns how to stop asking. */
  onCloseRequested(mayClose: () => boolean): Promise<() => void>;
  /** Closes the window without asking. */
  close(): Promise<void>;
  /** Lets the user choose files; answers paths that the engine can read, none when the user chose nothing. */
  pick(options: PickOptions): Promise<string[]>;
  /**
   * Lets the user say where to keep a file and writes it there; answers where, `null` when the user chose nothing. Files
   * that go with it are written beside it, named after it, without asking again; a browser downloads them one by one.
   */
  save(
    name: string,
    content: string | Uint8Array,
    type: string,
    beside?: readonly BesideFile[],
  ): Promise<string | null>;
  /**
   * Calls back with paths that the engine can read whenever files are dropped. `over` tells that some hover; `failed`
   * that files could not be taken over.
   */
  onDrop(
    dropped: (paths: string[]) => void,
    over: (hovering: boolean) => void,
    failed: (error: WireError) => void,
  ): Promise<() => void>;
  /** Calls back with each link into the product (`koab://…`) that the system handed over. Returns how to stop. */
  onLink(followed: (link: string) => void): Promise<() => void>;
  /**
   * Opens the workspace in a folder in a window of its own, or brings the one that shows it to the front; `here`: in the
   * place of this window. A browser has no windows of ours.
   */
  readonly openWorkspace?: (folder: string, here: boolean) => Promise<void>;
  /** Updates of the window; a browser's page is `koab`'s, which whoever installed it updates. */
  readonly updates?: HostUpdates;
  /** Shows in the taskbar or dock how far what goes on is, in percent; `null`: nothing goes on. */
  progress(percent: number | null): Promise<void>;
  /** Shows a system notification, where the user lets us. */
  notify(title: string, body: string): Promise<void>;
  /** Opens a folder or file of the workspace, or a web page, outside. */
  open(target: string): Promise<void>;
}
