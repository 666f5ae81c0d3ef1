import { app } from './app';
import { connection } from './connection';
import { errors } from './errors';
import { help } from './help';
import { words } from './words';

/** What the page says before anything else of it is fetched. */
export const first = { app, connection, errors, help, words };
