// How far an adaptive run is, and how its numbers are written.
import type { AdaptiveView } from '../../ipc/gen';
import { fixed } from '../../shared/format';

export type AdaptiveStanding = 'under' | 'reached' | 'stopped' | 'open';

/** `underWay`: it is a job of this process. What has no end and is none is another's, or was interrupted. */
export function standingOf({ is_over, found }: AdaptiveView, underWay: boolean): AdaptiveStanding {
  if (underWay) return 'under';
  if (!is_over) return 'open';
  return found.stopped ? 'stopped' : 'reached';
}

/** Half the width of an interval, as precise as it can mean something. */
export const margin = (halfWidth: number): string => fixed(halfWidth, 3);

/** A share in points. */
export const points = (share: number): string => fixed(share * 100, 1);
