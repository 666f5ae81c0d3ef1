// Packs of Ko-AgentBench's tasks, and packs of other benchmarks, whose items nothing here runs or edits yet.
import type { PackSummary } from '../ipc/gen';

/** Those with tasks. */
export const withTasks = (packs: readonly PackSummary[]): PackSummary[] => packs.filter(({ kind }) => kind === null);
