// What the system's notification says at the end of a run.
import { plural } from '../plural';

export const notice = {
  attempts: (done: string, all: string) => `${done} of ${plural(all, 'attempt')} done`,
  figures: (sr: string, composite: string) => `SR ${sr} · Composite ${composite}`,
  notJudged: 'Not judged, so there is no SR and no composite',
  notScored: 'Not scored',
  scoringFailed: 'Scoring failed; the window shows why',
  reportUnread: 'Scored; the report cannot be read now',
  reason: 'The window shows why',
};
