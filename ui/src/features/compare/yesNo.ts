// Metrics of which a task has or has not got the point.
import type { MetricId } from '../../ipc/gen';

export const YES_NO: readonly MetricId[] = ['SR', 'pass@k', 'RRR', 'ToolAcc', 'CallEM', 'RespOK', 'SelectAcc', 'FSM'];
