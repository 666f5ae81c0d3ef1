import type { OnEvents, Platform } from '../platform/types';
import { toWireError } from './errors';
import type { Commands, EvaluateRequest, Job, RunEvent, RunSnapshot } from './gen';

type Streaming = { [C in keyof Commands]: Commands[C]['streams'] extends true ? C : never }[keyof Commands];

/** The product's commands as functions. All of them reject with a `WireError` and nothing else. */
export type Client = ReturnType<typeof createClient>;

export function createClient(platform: Platform) {
  /** Calls any command of `koab-api`'s table by name. */
  async function call<C extends keyof Commands>(
    command: C,
    args: Commands[C]['args'],
    left?: AbortSignal,
  ): Promise<Commands[C]['answer']> {
    try {
      return (await platform.call(command, args, left)) as Commands[C]['answer'];
    } catch (error) {
      throw toWireError(error);
    }
  }

  /**
   * What there is so far in one batch, then every later one. Batches that overtake the answer on their way here wait for
   * it, so the order is that of what went on.
   */
  async function stream<C extends Streaming, E>(
    command: C,
    args: Commands[C]['args'],
    soFar: (answer: Commands[C]['answer']) => E[],
    onEvents: OnEvents<E>,
  ): Promise<Commands[C]['answer']> {
    let early: E[] | null = [];
    try {
      const answer = (await platform.stream<E>(command, args, (events) => {
        if (early) early.push(...events);
        else onEvents(events);
      })) as Commands[C]['answer'];
      const waited: E[] = early;
      early = null;
      onEvents([...soFar(answer), ...waited]);
      return answer;
    } catch (error) {
      throw toWireError(error);
    }
  }

  return {
    call,
    appInfo: () => call('app_info', {}),
    packs: () => call('packs_list', {}),
    usePack: (name: string) => call('pack_use', { name }),
    models: () => call('models_list', {}),
    cancelRun: (run: string) => call('run_cancel', { run }),
    runs: () => call('runs_list', {}),
    evaluate: (request: EvaluateRequest) => call('run_evaluate', { request }),
    report: (run: string) => call('report_show', { run }),

    /** A run's events so far, then every later one. */
    subscribe: (run: string, onEvents: OnEvents): Promise<RunSnapshot> =>
      stream<'run_subscribe', RunEvent>('run_subscribe', { run }, ({ events }) => events, onEvents),

    /** The jobs of the engine, then each one that changes, as it is then. */
    watchJobs: (onJobs: OnEvents<Job>): Promise<Job[]> =>
      stream<'jobs_subscribe', Job>('jobs_subscribe', {}, (jobs) => jobs, onJobs),
  };
}
