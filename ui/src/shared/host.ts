// The program around the page, for every component below the app: commands and what the host can do.
import { getContext, setContext } from 'svelte';
import type { Client } from '../ipc/client';
import type { Platform } from '../platform/types';
import type { QueryClient } from '@tanstack/svelte-query';
import { Jobs } from './jobs.svelte';
import { createQueries } from './queries';

export interface Host {
  client: Client;
  platform: Platform;
  /** What the engine has under way. */
  jobs: Jobs;
  /** What it has answered. */
  queries: QueryClient;
}

const KEY = Symbol('host');

/** What is given of a host; the rest is made for it. */
export type GivenHost = Pick<Host, 'client' | 'platform'>;

export const provideHost = (host: GivenHost): Host =>
  setContext(KEY, { ...host, jobs: new Jobs(host.client), queries: createQueries() });

/** Call it while a component is made, as all of Svelte's context. */
export const useHost = (): Host => getContext<Host>(KEY);
