// All that limits what the numbers of a report say, each once, the gravest first.
import type { Caveat, Comparability, ReferenceStanding, ReportDetail, Sentence } from '../../ipc/gen';

export interface Caveats {
  /** What parts the report from the leaderboard's. */
  findings: Caveat[];
  notes: Sentence[];
}

/** The note of the engine that says where a report is from. */
export const IMPORTED = 'imported from {0} on {day}';
const isOrigin = (note: Sentence) => typeof note !== 'string' && note.text === IMPORTED;

/** Where a report is from, which is no caveat. */
export const originOf = ({ notes }: Pick<ReportDetail, 'notes'>): Sentence | undefined => notes.find(isOrigin);

/**
 * Of a published report it is no caveat that its logs do not say how it was made: it is what others are compared with. Until the
 * whole judgement is there, the gravest reason stands for it.
 */
export function caveatsOf(
  { row, notes, outdated }: ReportDetail,
  judged: Comparability | null,
  standing: ReferenceStanding | null,
): Caveats {
  const findings = (judged?.leaderboard.findings ?? []).filter(
    ({ grade, code }) => grade !== 'comparable' && !(row.reference && code === 'not_known'),
  );
  const first = !judged && !row.reference && row.comparability !== 'comparable' ? row.comparability_reason : null;
  // Other judges than the leaderboard's are told by the judgement.
  const others = findings.some(({ aspect }) => aspect === 'judges') || !judged ? [] : (standing?.caveats ?? []);
  const said = notes.filter((note) => !isOrigin(note));
  return { findings, notes: [...(first ? [first] : []), ...(outdated ? [outdated] : []), ...said, ...others] };
}

/** As they are listed: what is not known is one. */
export const countOf = ({ findings, notes }: Caveats): number => {
  const unknown = findings.filter(({ code }) => code === 'not_known').length;
  return findings.length - Math.max(0, unknown - 1) + notes.length;
};
