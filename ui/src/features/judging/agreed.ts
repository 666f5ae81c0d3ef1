// Agreement of judges as a table of judge by judge shows it: the rows to choose from, and what each pair says.
import type { JudgeCoverage, LabAgreement, PairAgreement, Sentence } from '../../ipc/gen';
import type { Messages } from '../../locales';
import { isOneSided } from './words';

/** What a row is called in an address: its metric, or the kind of its metrics. */
export const keyOf = ({ metrics, yes_no }: LabAgreement): string =>
  metrics.length === 1 ? (metrics[0] ?? '') : yes_no === null ? 'all' : yes_no ? 'yes-no' : 'grades';

export const nameOf = ({ metrics, yes_no }: LabAgreement, t: Messages): string =>
  metrics.length === 1
    ? (metrics[0] ?? '')
    : yes_no === null
      ? t.words.all
      : yes_no
        ? t.judging.agreement.allYesNo
        : t.judging.agreement.allGrades;

/** The row that the address asks for, else SR's, else the first. */
export const rowOf = (rows: readonly LabAgreement[], key: string | undefined): LabAgreement | undefined =>
  rows.find((row) => keyOf(row) === key) ?? rows.find((row) => keyOf(row) === 'SR') ?? rows[0];

/** Judges of the pairs, in their order. */
export const judgesOf = ({ pairs }: LabAgreement): string[] => [
  ...new Set(pairs.flatMap(({ one, other }) => [one, other])),
];

export const pairOf = ({ pairs }: LabAgreement, a: string, b: string): PairAgreement | undefined =>
  pairs.find(({ one, other }) => (one === a && other === b) || (one === b && other === a));

/** Questions on which both gave the same answer. */
export const equalOf = ({ percent, questions }: PairAgreement): number => Math.round((percent.value ?? 0) * questions);

/** Why a pair has no κ; null where it has one. */
export function whyNot(
  { kappa }: PairAgreement,
  said: (reason: Sentence | null) => string,
  oneSided: string,
): string | null {
  if (isOneSided(kappa)) return oneSided;
  return kappa.value === null ? said(kappa.reason) : null;
}

/** Judges that answered less than half and are not taken into “all”: folded, unless that would leave nobody. */
export function foldedOf(coverage: readonly JudgeCoverage[], together: readonly string[]): string[] {
  const few = coverage.filter((row) => row.few && !together.includes(row.judge)).map(({ judge }) => judge);
  return few.length < coverage.length ? few : [];
}
