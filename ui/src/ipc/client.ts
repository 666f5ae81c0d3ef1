import type { OnEvents, Platform } from '../platform/types';
import { toWireError } from './errors';
import type { Commands, EvaluateRequest, RunSnapshot } from './types';

type Streaming = { [C in keyof Commands]: Commands[C]['streams'] extends true ? C : never }[keyof Commands];

/** The product's commands as functions. All of them reject with a `WireError` and nothing else. */
export type Client = ReturnType<typeof createClient>;

/** After this long, a call that has not answered counts as a long one. */
const LONG_MS = 300;

export function createClient(platform: Platform) {
  const waiters = new Set<() => void>();

  /** Calls any command of `koab-api`'s table by name. */
  async function call<C extends keyof Commands>(command: C, args: Commands[C]['args']): Promise<Commands[C]['answer']> {
    const timer = setTimeout(() => waiters.forEach((tell) => tell()), LONG_MS);
    try {
      return (await platform.call(command, args)) as Commands[C]['answer'];
    } catch (error) {
      throw toWireError(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async function stream<C extends Streaming>(
    command: C,
    args: Commands[C]['args'],
    onEvents: OnEvents,
  ): Promise<Commands[C]['answer']> {
    try {
      return (await platform.stream(command, args, onEvents)) as Commands[C]['answer'];
    } catch (error) {
      throw toWireError(error);
    }
  }

  return {
    call,
    /** Calls back whenever a call takes long. Returns how to stop. */
    onLong(tell: () => void): () => void {
      waiters.add(tell);
      return () => void waiters.delete(tell);
    },
    /** Says that something long has begun by a call that answered at once. */
    longBegan: () => waiters.forEach((tell) => tell()),
    appInfo: () => call('app_info', {}),
    packs: () => call('packs_list', {}),
    usePack: (name: string) => call('pack_use', { name }),
    models: () => call('models_list', {}),
    cancelRun: (run: string) => call('run_cancel', { run }),
    runs: () => call('runs_list', {}),
    evaluate: (request: EvaluateRequest) => call('run_evaluate', { request }),
    report: (run: string) => call('report_show', { run }),

    /**
     * A run's events so far in one batch, then every later one. Batches that overtake the snapshot on their way here
     * wait for it, so the order is that of the run.
     */
    async subscribe(run: string, onEvents: OnEvents): Promise<RunSnapshot> {
      let early: Parameters<OnEvents>[0] | null = [];
      const snapshot = await stream('run_subscribe', { run }, (events) => {
        if (early) early.push(...events);
        else onEvents(events);
      });
      const waited = early;
      early = null;
      onEvents([...snapshot.events, ...waited]);
      return snapshot;
    },
  };
}
