// Names and numbers of the lab as people read them.
import type { LabEstimate, LabMeasure, LabPanel } from '../../ipc/types';
import type { Language, Messages } from '../../locales';
import { decimals, format } from '../../shared/format';

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

export const three = (value: number, language: Language): string => format(language, decimals(3)).format(value);

export const percent = (value: number, language: Language): string => format(language, { style: 'percent', ...decimals(1) }).format(value);

/** The ends of an interval; null where there is none. */
export function ends({ low, high }: LabEstimate, shown: (value: number) => string): string | null {
  return low === null || high === null ? null : `[${shown(low)}, ${shown(high)}]`;
}
