// What a system notification says of a run that has ended: how it ended, how far it came, and what its report says. Notifications
// stand outside of the window and may be read aloud or kept by the system: nothing that a server said goes into one.
import type { EndedRun, ReportRow, RunSummary } from '../ipc/gen';
import type { Messages } from '../locales';
import { count, score } from '../shared/format';

interface Known {
  /** The run as the list has it; none where it did not begin. */
  run: RunSummary | undefined;
  /** Its report as the library has it; none where it was not scored. */
  report: ReportRow | undefined;
}

export function noticeOf(
  ended: EndedRun,
  { run, report }: Known,
  t: Messages,
  language: string,
): { title: string; body: string } {
  const title = ended.outcome ? t.runs.live.outcome[ended.outcome] : t.runs.live.notBegun;
  const lines = [ended.model];
  if (!ended.outcome) return { title, body: [...lines, t.notice.reason].join('\n') };
  const status = run?.status;
  if (status) lines.push(t.notice.attempts(count(status.done, language), count(status.planned, language)));
  lines.push(verdict(ended, report, t.notice));
  return { title, body: lines.join('\n') };
}

function verdict(ended: EndedRun, report: ReportRow | undefined, t: Messages['notice']): string {
  if (ended.reports.length === 0) return ended.error ? t.scoringFailed : t.notScored;
  if (!report || report.problem) return t.reportUnread;
  if (report.judges?.length === 0 && report.success === null) return t.notJudged;
  return t.figures(score(report.success), score(report.composite));
}
