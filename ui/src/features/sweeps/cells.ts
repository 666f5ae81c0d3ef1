// A sweep's cells as rows and columns of a map: a model a row, a choice of settings a column.
import type { SweepCell, SweepPlanRun, SweepResult, SweepView } from '../../ipc/gen';
import type { Messages } from '../../locales';
import { at } from '../../shared/route.svelte';

export interface MapCell {
  cell: SweepCell;
  isBaseline: boolean;
  /** Nothing where its run is not scored. */
  result: SweepResult | null;
  run: SweepPlanRun | null;
}

export interface PackMap {
  pack: string;
  models: string[];
  /** What the cells' labels say beside the model; empty where nothing else is swept. */
  settings: string[];
  /** By model and settings. */
  at: (model: string, setting: string) => MapCell | null;
}

/** The first task that a cell lost points at, by what the sweep looks at; its first one where it has no report. */
export const transcriptsOf = (run: string, report: string | null, metric: string): string =>
  at('runs', run, { part: 'transcripts', ...(report ? { report, metric } : {}) });

/** A cell's settings as its label says them. */
export const settingOf = ({ label, model }: SweepCell): string => label.slice(model.length).trim();

const inOrder = (values: string[]): string[] => [...new Set(values)];

/** Every cell in every pack, in the order of the sweep. */
export function cellsOf({ table, plan }: SweepView): (MapCell & { pack: string })[] {
  const runs = new Map(plan.runs.map((run) => [`${run.pack} ${run.cell}`, run]));
  return table.cells.flatMap((cell) =>
    table.packs.map((pack) => ({
      cell,
      pack,
      isBaseline: cell.label === table.baseline,
      result: cell.results.find((one) => one.pack === pack) ?? null,
      run: runs.get(`${pack} ${cell.label}`) ?? null,
    })),
  );
}

/** A map for each pack. */
export function mapsOf(view: SweepView): PackMap[] {
  const all = cellsOf(view);
  return view.table.packs.map((pack) => {
    const own = all.filter((one) => one.pack === pack);
    const found = new Map(own.map((one) => [`${one.cell.model}\n${settingOf(one.cell)}`, one]));
    return {
      pack,
      models: inOrder(own.map(({ cell }) => cell.model)),
      settings: inOrder(own.map(({ cell }) => settingOf(cell))),
      at: (model, setting) => found.get(`${model}\n${setting}`) ?? null,
    };
  });
}

export type StateWord = keyof Messages['sweeps']['states'];

/** How far a run is, or why it has no score. */
export function stateOf(run: SweepPlanRun | null): StateWord {
  if (!run || run.state === 'new') return 'new';
  if (run.state === 'made') return run.to_judge ? 'to_judge' : 'made';
  const { outcome } = run;
  return outcome === null || outcome === 'completed' ? 'begun' : outcome;
}

/** Why a cell has no score. */
export function missingOf({ result, run }: Pick<MapCell, 'result' | 'run'>): StateWord {
  if (result) return 'unscored';
  const state = stateOf(run);
  return state === 'made' ? 'unscoredYet' : state;
}

export const MARKS = { better: '▲', worse: '▼', not_separated: '＝' } as const;
