// The program around the page, for every component below the app: commands and what the host can do.
import { getContext, setContext } from 'svelte';
import type { Client } from '../ipc/client';
import type { Platform } from '../platform/types';

export interface Host {
  client: Client;
  platform: Platform;
}

const KEY = Symbol('host');

export const provideHost = (host: Host): Host => setContext(KEY, host);

/** Call it while a component is made, as all of Svelte's context. */
export const useHost = (): Host => getContext<Host>(KEY);
