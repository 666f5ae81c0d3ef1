// Who judges, as a form holds it: the same fields wherever something is scored.
import type { EvaluateRequest, ModelSummary, RunJudges } from '../../../ipc/gen';
import { addressOrNull, isAddress } from '../../../shared/address';
import { providerOf } from '../../../shared/connections/provider';
import { draftOf, isContext, settingsOf, USUAL, type LocalDraft } from '../../../shared/localModel/settings';

export interface JudgeDraft {
  /** Judge models, separated by commas, spaces or lines; none means that nobody judges. */
  judges: string;
  judgeBaseUrl: string;
  /** How judges inside the application run. */
  judgeLocal: LocalDraft;
}

/** Fields that can be wrong; the texts are `runs.form.problem[…]` of the locale. */
export type JudgeProblem = 'judges' | 'judgeBaseUrl' | 'judgeContext';

/** These judges, in the form. */
export function judgeDraft(judges: readonly string[] = []): JudgeDraft {
  return { judges: judges.join(', '), judgeBaseUrl: '', judgeLocal: { ...USUAL } };
}

/** The judges that a run is known to have, in the form. */
export function draftOfRun({ judges, judge_base_url, judge_local }: RunJudges): JudgeDraft {
  return {
    judges: judges.join(', '),
    judgeBaseUrl: judge_base_url ?? '',
    judgeLocal: judge_local ? draftOf(judge_local) : { ...USUAL },
  };
}

/** The judges that are named, each once. */
export function judgesOf({ judges }: Pick<JudgeDraft, 'judges'>): string[] {
  return [...new Set(judges.split(/[\s,]+/).filter(Boolean))];
}

/** Those of them that run inside the application. */
export function localJudgesOf(draft: Pick<JudgeDraft, 'judges'>): string[] {
  return judgesOf(draft).filter((id) => id.toLowerCase().startsWith('local/'));
}

/** Whether one of these judges is converted before it judges. One that the list does not know may be. */
export function judgesConvert(ids: readonly string[], models: readonly ModelSummary[]): boolean {
  return ids.some((id) => models.find((model) => model.id === id)?.local?.converts ?? true);
}

export function judgeProblems(draft: JudgeDraft, models: readonly ModelSummary[]): JudgeProblem[] {
  const judges = judgesOf(draft);
  const problems: JudgeProblem[] = [];
  if (judges.some((id) => !/^[^/\s]+\/\S+$/.test(id))) problems.push('judges');
  const needed = judges.some((id) => providerOf(id, models)?.needs_base_url);
  if (!isAddress(draft.judgeBaseUrl, needed)) problems.push('judgeBaseUrl');
  if (localJudgesOf(draft).length > 0 && !isContext(draft.judgeLocal.context)) problems.push('judgeContext');
  return problems;
}

/** The part of a request that says who judges. */
export function judgesAsked(
  draft: JudgeDraft,
  models: readonly ModelSummary[],
): Pick<EvaluateRequest, 'judges' | 'judge_base_url' | 'judge_local'> {
  const local = localJudgesOf(draft);
  return {
    judges: judgesOf(draft),
    judge_base_url: addressOrNull(draft.judgeBaseUrl),
    ...(local.length > 0 ? { judge_local: settingsOf(draft.judgeLocal, judgesConvert(local, models)) } : {}),
  };
}
