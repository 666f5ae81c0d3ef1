// How far an adaptive run is, and how its numbers are written.
import type { AdaptiveView } from '../../ipc/gen';
import { fixed } from '../../shared/format';

export type AdaptiveStanding = 'under' | 'reached' | 'stopped' | 'open';

/** What has no end and is no job of this process is another's, or was interrupted. */
export function standingOf({ is_over, is_here, found }: AdaptiveView): AdaptiveStanding {
  if (!is_over) return is_here ? 'under' : 'open';
  return found.stopped ? 'stopped' : 'reached';
}

/** Whether its estimate may still change. */
export const isSoFar = (standing: AdaptiveStanding): boolean => standing === 'under' || standing === 'open';

/** Half the width of an interval, as precise as it can mean something. */
export const margin = (halfWidth: number): string => fixed(halfWidth, 3);

/** A share in points. */
export const points = (share: number): string => fixed(share * 100, 1);
