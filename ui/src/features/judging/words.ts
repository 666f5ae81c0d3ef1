// Names and numbers of the lab as people read them.
import type { LabEstimate, LabMeasure, LabPanel } from '../../ipc/gen';
import type { Messages } from '../../locales';

const METRICS: Partial<Record<LabMeasure, string>> = {
  sr: 'SR',
  arg_acc: 'ArgAcc',
  eff_score: 'EffScore',
  context_retention: 'ContextRetention',
  ref_recall: 'RefRecall',
};

export const measureName = (measure: LabMeasure, t: Messages['judging']): string =>
  METRICS[measure] ?? (measure === 'composite' ? t.effect.composite : t.effect.compositeCommon);

export function panelName({ kind, judge }: LabPanel, t: Messages['judging']): string {
  switch (kind) {
    case 'judge':
      return judge ?? '';
    case 'without':
      return t.effect.without(judge ?? '');
    default:
      return t.effect.panels[kind];
  }
}

/** Whether one of two judges gave one answer throughout: then κ is exactly 0 in every resample, whatever the other said. */
export const isOneSided = ({ value, low, high }: LabEstimate): boolean =>
  [value, low, high].every((one) => one !== null && Math.abs(one) < 1e-9);

/** The ends of an interval; null where there is none. */
export function ends({ low, high }: LabEstimate, shown: (value: number) => string): string | null {
  return low === null || high === null ? null : `[${shown(low)}, ${shown(high)}]`;
}
