import { app } from './app';
import { errors } from './errors';
import { reports } from './reports';
import { runs } from './runs';

export const en = { app, errors, reports, runs };
