// What is done when a value becomes another one, such as asking again.
import { untrack } from 'svelte';
import type { JobKind } from '../ipc/gen';
import type { Jobs } from './jobs.svelte';
import { oneAtATime } from './oneAtATime';
import { painted } from './painted';

/** Calls back when the value is another one than `before`, at first its own. Call it while a component is made. */
export function watch<T>(value: () => T, changed: (now: T) => void, before: T = untrack(value)): void {
  let seen = before;
  $effect(() => {
    const now = value();
    if (now === seen) return;
    seen = now;
    untrack(() => changed(now));
  });
}

/** Does it every `ms` while it is wanted. Call it while a component is made. */
export function every(ms: number, work: () => Promise<void>, wanted: () => boolean): void {
  const isWanted = $derived(wanted());
  $effect(() => {
    if (!isWanted) return;
    const ticking = setInterval(() => void work(), ms);
    return () => clearInterval(ticking);
  });
}

/**
 * Does it when a job of that kind has news, once at a time; `of` is what the job must be about. Returns how to do it at once.
 * Call it while a component is made.
 */
export function onNews(jobs: Jobs, kind: JobKind, work: () => Promise<void>, of?: () => string): () => Promise<void> {
  const ask = oneAtATime(work);
  $effect(() => jobs.onChange((job) => void (job.kind === kind && (!of || job.about[0] === of()) && ask())));
  return ask;
}

/**
 * Whether what takes the engine's time may be asked for: `first` is there and painted. Who only passes by asks for nothing.
 * Call it while a component is made.
 */
export function useLater(first: () => boolean): { readonly now: boolean } {
  let now = $state(false);
  const isThere = $derived(first());
  $effect(() => {
    if (!isThere) return;
    let gone = false;
    void painted().then(() => (now ||= !gone));
    return () => (gone = true);
  });
  return {
    get now() {
      return now;
    },
  };
}
