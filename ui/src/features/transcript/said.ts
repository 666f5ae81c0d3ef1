// What judges and people said about a metric of a task, question by question: the stored verdicts, and those that only a
// report recorded.
import type { MetricId, OverrideRow, Protocol, StoredVerdict, TaskVerdicts, Transcript, Sentence } from '../../ipc/gen';

export interface ShownVerdict {
  judge: string;
  vote: number;
  success: boolean | null;
  grade: number | null;
  /** 0 to 1, where it was asked for. */
  confidence: number | null;
  reason: string | null;
  /** Why there is no answer. */
  failure: Sentence | null;
  /** When it came, ISO 8601; null in reports, which do not say. */
  at: string | null;
  /** Tells prompts and servers of one judge apart; null where it was only asked in one way. */
  askedWith: string | null;
  /** The report that alone recorded it; null when it is stored. */
  report: string | null;
  workedBack: boolean;
  /** Where a report and the store have different answers of one judge: whether the scores here are made of this one. */
  counted: boolean | null;
}

export interface ShownQuestion {
  /** The scorers that ask exactly this. */
  scorers: readonly Protocol[];
  /** Null when no pack has the prompts. */
  prompt: string | null;
  system: string | null;
  /** Whether one judge votes several times. */
  votes: boolean;
  verdicts: readonly ShownVerdict[];
}

/** The questions of a metric. `said` is null until the store has answered, or when it cannot. */
export function questionsOn(transcript: Transcript, said: TaskVerdicts | null, metric: MetricId): ShownQuestion[] {
  const recorded = transcript.verdicts.filter((verdict) => verdict.metric === metric);
  const asked = said?.questions.filter((question) => question.metric === metric) ?? [];
  const stored = asked.map((question): ShownQuestion => {
    const ways = (judge: string) =>
      new Set(question.verdicts.filter((other) => other.judge === judge).map((other) => other.asked_with)).size;
    const reported = recorded.filter(({ scorer }) => question.scorers.includes(scorer));
    const isSame = (verdict: StoredVerdict) =>
      reported.some(
        ({ judge, vote, success, grade, failure }) =>
          judge === verdict.judge &&
          vote === verdict.vote &&
          success === verdict.success &&
          grade === verdict.score &&
          (failure === null) === (verdict.failure === null),
      );
    const stored = new Set(question.verdicts.map(({ judge }) => judge));
    // Where a report has the judge's answer the scores are made of that; it is only shown apart where it is another one.
    const torn = new Set(
      question.verdicts
        .filter((verdict) => reported.some(({ judge }) => judge === verdict.judge) && !isSame(verdict))
        .map(({ judge }) => judge),
    );
    const kept = question.verdicts.map((verdict): ShownVerdict => ({
      judge: verdict.judge,
      vote: verdict.vote,
      success: verdict.success,
      grade: verdict.score,
      confidence: verdict.confidence,
      reason: verdict.reason,
      failure: verdict.failure,
      at: verdict.at,
      askedWith: ways(verdict.judge) > 1 ? verdict.asked_with : null,
      report: null,
      workedBack: false,
      counted: torn.has(verdict.judge) && !isSame(verdict) ? false : null,
    }));
    const rest = reported.filter(({ judge }) => !stored.has(judge) || torn.has(judge));
    return {
      scorers: question.scorers,
      prompt: question.prompt,
      system: question.system,
      votes: question.first_judge_only,
      verdicts: [
        ...kept,
        ...rest.map((verdict) => ({ ...ofReport(verdict), counted: torn.has(verdict.judge) ? true : null })),
      ],
    };
  });
  const covered = new Set(stored.flatMap(({ scorers }) => scorers));
  const others = new Set(
    [...transcript.questions.filter((question) => question.metric === metric), ...recorded].map(({ scorer }) => scorer),
  );
  const unstored = [...others]
    .filter((scorer) => !covered.has(scorer))
    .map((scorer): ShownQuestion => ({
      scorers: [scorer],
      prompt:
        transcript.questions.find((question) => question.metric === metric && question.scorer === scorer)?.prompt ??
        null,
      system: null,
      votes: metric === 'SR',
      verdicts: recorded.filter((verdict) => verdict.scorer === scorer).map(ofReport),
    }));
  return [...stored, ...unstored];
}

/** The overrides of a metric, each once, those that do not apply any more last. */
export function overridesOn(said: TaskVerdicts | null, metric: MetricId): OverrideRow[] {
  const holding = said?.questions.flatMap((question) => (question.metric === metric ? question.overrides : [])) ?? [];
  const outdated = said?.outdated.filter((row) => row.metric === metric) ?? [];
  // One word about two questions, one a scorer, is one to people.
  const all = new Map(
    [...holding, ...outdated].map((row) => [JSON.stringify([row.judge, row.by, row.why, row.at]), row]),
  );
  return [...all.values()];
}

/** Judges whose answers are stored, so that one of them can be overruled alone. */
export function judgesOn(said: TaskVerdicts | null, metric: MetricId): string[] {
  const questions = said?.questions.filter((question) => question.metric === metric) ?? [];
  return [...new Set(questions.flatMap(({ verdicts }) => verdicts.map(({ judge }) => judge)))];
}

/** Whether the metric is a yes or no; else it is a grade from 1 to 5. */
export const isYesNo = (metric: MetricId): boolean => metric === 'SR' || metric === 'EffScore';

function ofReport(verdict: Transcript['verdicts'][number]): ShownVerdict {
  const { judge, vote, success, grade, reason, failure, report, worked_back: workedBack } = verdict;
  return {
    judge,
    vote,
    success,
    grade,
    reason,
    failure,
    report,
    workedBack,
    confidence: null,
    at: null,
    askedWith: null,
    counted: null,
  };
}
