// The program around the page, for every component below the app: commands and what the host can do.
import { getContext, setContext } from 'svelte';
import type { Client } from '../ipc/client';
import type { Platform } from '../platform/types';
import { Jobs } from './jobs.svelte';

export interface Host {
  client: Client;
  platform: Platform;
  /** What the engine has under way. */
  jobs: Jobs;
}

const KEY = Symbol('host');

export const provideHost = (host: Omit<Host, 'jobs'>): Host =>
  setContext(KEY, { ...host, jobs: new Jobs(host.client) });

/** Call it while a component is made, as all of Svelte's context. */
export const useHost = (): Host => getContext<Host>(KEY);
