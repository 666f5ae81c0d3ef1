// How far a fork is, from the events of its going on.
import type { RunEvent, Sentence } from '../../ipc/gen';

export interface ForkProgress {
  /** Step that is asked for, or was answered last; null before the first. */
  step: number | null;
  /** Why it waits; null when it does not. */
  waits: Sentence | null;
  over: boolean;
}

export const BEGUN: ForkProgress = { step: null, waits: null, over: false };

export function further(progress: ForkProgress, events: readonly RunEvent[]): ForkProgress {
  return events.reduce((now, { kind }) => {
    switch (kind.type) {
      case 'step_started':
      case 'step_finished':
        return { ...now, step: kind.step, waits: null };
      case 'waiting':
        return { ...now, waits: kind.reason };
      case 'run_finished':
        return { ...now, waits: null, over: true };
      default:
        return now;
    }
  }, progress);
}
