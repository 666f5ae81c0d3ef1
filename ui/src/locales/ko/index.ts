import type { Messages } from '..';
import { app } from './app';
import { errors } from './errors';
import { reports } from './reports';
import { runs } from './runs';

export const ko: Messages = { app, errors, reports, runs };
