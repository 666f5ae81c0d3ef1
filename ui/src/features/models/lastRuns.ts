// The newest run of each connection.
import type { RunSummary } from '../../ipc/gen';

/** Between an agent and the model that it drove. */
const AGENT = ' · ';

/** The model of a run as its server names it, where it is one of the connection. */
export function modelOf({ model }: RunSummary, connection: string): string | undefined {
  const driven = model.split(AGENT).at(-1) ?? model;
  return driven.startsWith(`${connection}/`) ? driven.slice(connection.length + 1) : undefined;
}

export function lastRunOf(runs: readonly RunSummary[], connection: string): RunSummary | undefined {
  return runs
    .filter((run) => modelOf(run, connection) !== undefined)
    .reduce<RunSummary | undefined>((last, run) => (last && last.date >= run.date ? last : run), undefined);
}
