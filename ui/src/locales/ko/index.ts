import type { Messages } from '..';
import { app } from './app';
import { atlas } from './atlas';
import { connection } from './connection';
import { drift } from './drift';
import { editor } from './editor';
import { egress } from './egress';
import { errors } from './errors';
import { fork } from './fork';
import { comparability } from './comparability';
import { compare } from './compare';
import { compareTests } from './compareTests';
import { content } from './content';
import { judging } from './judging';
import { local } from './local';
import { localRun } from './localRun';
import { metrics } from './metrics';
import { misses } from './misses';
import { models } from './models';
import { packs } from './packs';
import { parts } from './parts';
import { pulled } from './pulled';
import { references } from './references';
import { repetitions } from './repetitions';
import { reports } from './reports';
import { runs } from './runs';
import { scenarios } from './scenarios';
import { settings } from './settings';
import { snapshots } from './snapshots';
import { start } from './start';
import { submit } from './submit';
import { tasks } from './tasks';
import { transcript } from './transcript';
import { verify } from './verify';

export const ko: Messages = {
  app,
  atlas,
  connection,
  drift,
  editor,
  egress,
  errors,
  fork,
  comparability,
  compare,
  compareTests,
  content,
  judging,
  local,
  localRun,
  metrics,
  misses,
  models,
  packs,
  parts,
  pulled,
  references,
  repetitions,
  reports,
  runs,
  scenarios,
  settings,
  snapshots,
  start,
  submit,
  tasks,
  transcript,
  verify,
};
