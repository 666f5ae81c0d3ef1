// A host that plays a scripted run: for working on the UI in a browser, and for tests. Never part of a built product.
// What only reads is answered as the engine did (`recorded.ts`); runs, packs and their tasks are invented.
import type { Commands, LocalNeed, SettingsView, RunSummary, SnapshotList, WireError } from '../ipc/gen';
import { PACKS, SETTINGS, uncheckedHealth } from './fakeData';
import { COMPARABILITY } from './fakeComparability';
import { FakeJobs } from './fakeJobs';
import { createRuns } from './fakeRuns';
import { RECORDED } from './recorded';
import type { OnEvents, Platform } from './types';

export interface FakeOptions {
  /** Milliseconds between batches. */
  pace?: number;
  /** Events a batch. */
  batch?: number;
  /** Runs of earlier sessions. */
  runs?: RunSummary[];
  /** Commands that fail, and how; `run_start`: every run fails to begin. */
  failing?: Partial<Record<string, WireError>>;
  /** Answers to commands that the scripted host does not play itself, or other answers than its own. */
  answers?: { [C in keyof Commands]?: (args: Commands[C]['args']) => Commands[C]['answer'] };
  /** Hears what is asked, and what tells that nobody waits for it any more. */
  heard?: (command: string, left?: AbortSignal) => void;
  /** What is under way. */
  jobs?: FakeJobs;
  /** What the host around the page does; by default nothing is picked, kept, dropped or told. */
  host?: Partial<Platform>;
}

/** A fresh host with nothing run yet. */
export function createFake({
  pace = 80,
  batch = 3,
  failing = {},
  answers = {},
  heard,
  host = {},
  jobs = new FakeJobs(),
  runs: earlier = [],
}: FakeOptions = {}): Platform {
  const runs = createRuns({ pace, batch, unbegun: failing['run_start'], listed: earlier, jobs });
  let packs = PACKS;
  let settings = SETTINGS;

  function answer(command: string, args: Record<string, unknown>): unknown {
    const error = failing[command];
    if (error) throw error;
    const other = answers[command as keyof Commands] as ((args: unknown) => unknown) | undefined;
    if (other) return other(args);
    switch (command) {
      case 'app_info':
        return { ...RECORDED.app_info, current_run: runs.going() };
      case 'packs_list':
        return packs;
      case 'pack_use':
        packs = packs.map((pack) => ({ ...pack, active: pack.name === args['name'] }));
        return null;
      case 'agents_list':
        return [];
      case 'settings_get':
        return settings;
      case 'settings_set':
        settings = { ...settings, settings: args['settings'] as SettingsView['settings'] };
        return settings;
      case 'offline_set': {
        const on = args['on'] === true;
        settings = { ...settings, offline: { on, kept: on, forced: null } };
        return settings;
      }
      case 'link_opening':
        return null;
      case 'snapshots_list':
        return { pack: args['pack'] as string, snapshots: [], recorded: 0, added: 0 } satisfies SnapshotList;
      case 'run_comparability':
      case 'report_comparability':
        return COMPARABILITY;
      case 'local_need':
        return {
          weights_bytes: 8_700_000_000,
          kv_bytes: 1_200_000_000,
          memory_available: 16_000_000_000,
          context: 16_384,
          parallel: 4,
          converts: true,
        } satisfies LocalNeed;
      case 'servers_find':
        return [];
      case 'connections_health':
        return settings.settings.connections.map(({ name }) => uncheckedHealth(name));
      default: {
        const own = runs.commands[command];
        if (own) return own(args);
        if (command in RECORDED) return RECORDED[command as keyof typeof RECORDED];
        throw { code: 'internal', message: `the scripted host has no command ${command}` } satisfies WireError;
      }
    }
  }

  return {
    host: 'browser',
    call: async (command, args, left) => {
      heard?.(command, left);
      return answer(command, args);
    },
    stream: async (command, args, onEvents) => {
      const error = failing[command];
      if (error) throw error;
      if (command === 'jobs_subscribe') return jobs.subscribe(onEvents as OnEvents<unknown>);
      return runs.subscribe(String(args['run']), onEvents as OnEvents<unknown>);
    },
    onCloseRequested: async () => () => undefined,
    onLink: async () => () => undefined,
    progress: async () => undefined,
    close: async () => undefined,
    pick: async () => [],
    save: async () => null,
    onDrop: async () => () => undefined,
    notify: async () => undefined,
    open: async () => undefined,
    ...host,
  };
}
