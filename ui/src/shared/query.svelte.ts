// What the engine answers: kept by its question while somebody shows it, asked for again when what it is about has changed.
import { createQuery, type Query as TanstackQuery } from '@tanstack/svelte-query';
import { untrack } from 'svelte';
import { toWireError } from '../ipc/errors';
import { READS, WRITES, type Commands, type Topic, type WireError } from '../ipc/gen';
import { useHost } from './host';

type Command = keyof Commands;
/** A command that changes something that answers depend on. */
export type Writer = keyof typeof WRITES;

const READ_BY: Partial<Record<Command, readonly Topic[]>> = READS;

/** An answer on its way to the screen: loading, there, or why not. */
export interface Query<T> {
  /** `null` until it is there. */
  readonly value: T | null;
  readonly error: WireError | null;
  readonly loading: boolean;
  /** Asks again; over when the answer, or why there is none, is shown. */
  load: () => Promise<void>;
}

interface Options {
  /** Whether the answer to the question before stays until the new one is there. */
  keep?: boolean;
}

/**
 * The answer to whatever `question` names, asked for when the key changes; no key asks nothing. The parts of the key are
 * what the answer depends on; `of` has the commands that `ask` calls. Who leaves before it is there lets go of it by
 * `left`. Call it while a component is made.
 */
export function useQuery<T>(
  question: () => { key: readonly unknown[]; ask: (left: AbortSignal) => Promise<T>; of?: readonly Command[] } | null,
  { keep = false }: Options = {},
): Query<T> {
  const { queries } = useHost();
  const query = createQuery<T, WireError>(
    () => {
      const asked = question();
      return {
        queryKey: asked?.key ?? ['nothing'],
        queryFn: ({ signal }) =>
          asked?.ask(signal).catch((error: unknown) => {
            throw toWireError(error);
          }) as Promise<T>,
        enabled: asked !== null,
        meta: { topics: (asked?.of ?? []).flatMap((command) => READ_BY[command] ?? []) },
        ...(keep && asked ? { placeholderData: (before: T | undefined) => before as never } : {}),
      };
    },
    () => queries,
  );
  // What was never read is not told of, also to who asks again before anything is shown.
  untrack(() => void [query.data, query.error, query.isFetching]);
  return {
    get value() {
      return (query.data as T | undefined) ?? null;
    },
    get error() {
      return query.isFetching ? null : query.error;
    },
    get loading() {
      return query.isFetching;
    },
    load: async () => {
      await query.refetch();
    },
  };
}

/** The answer of a command, asked for when its arguments change; `null` asks nothing. Call it while a component is made. */
export function useCall<C extends Command>(
  command: C,
  args: () => Commands[C]['args'] | null,
  options?: Options,
): Query<Commands[C]['answer']> {
  const { client } = useHost();
  return useQuery(() => {
    const given = args();
    return given && { key: [command, given], ask: (left) => client.call(command, given, left), of: [command] };
  }, options);
}

export type Changed = (...commands: Writer[]) => void;

/**
 * Has every shown answer asked for again that depends on what these commands have changed. Call it while a component is
 * made; what it returns, at any time.
 */
export function useChanged(): Changed {
  const { queries } = useHost();
  return (...commands) => {
    const written: readonly Topic[] = commands.flatMap((command): readonly Topic[] => WRITES[command]);
    const predicate = ({ meta }: TanstackQuery) =>
      (meta?.['topics'] as readonly Topic[] | undefined)?.some((topic) => written.includes(topic)) ?? false;
    // A first answer that is on its way may be from before the change. The library would take it
    // for the new one.
    const first = queries
      .getQueryCache()
      .findAll({ predicate, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined);
    for (const { promise, queryKey } of first) {
      const again = () => queries.invalidateQueries({ queryKey, exact: true });
      promise?.then(again, again);
    }
    void queries.invalidateQueries({ predicate });
  };
}
