// The user's stories, end to end: the built command line serves the built page to a real browser.
//
//   node e2e/stories.mjs KOAB [--shared FOLDER] [--only STORY,…] [--whole]
//                             [--workers N] [--slow N] [--times N]
//
// Needs Chromium. Stories on the reference data are skipped where there is none. Each story has
// workspaces of its own, which are removed afterwards. Two stories run at a time. `--slow 4` makes
// the processor of the page four times slower, `--times 10` runs each story ten times. Where a check
// fails, a screenshot, the page and a trace are kept in a folder that the last lines name.
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    shared: { type: 'string' },
    only: { type: 'string' },
    whole: { type: 'boolean' },
    workers: { type: 'string' },
    slow: { type: 'string' },
    times: { type: 'string' },
  },
});
const [koab] = positionals;
if (!koab) {
  console.error(
    'usage: node e2e/stories.mjs KOAB [--shared FOLDER] [--only STORY,…] [--whole] [--workers N] [--slow N] [--times N]',
  );
  process.exit(2);
}

const kept = await mkdtemp(join(tmpdir(), 'koab-stories-'));
const common = await mkdtemp(join(tmpdir(), 'koab-stories-common-'));
const cli = createRequire(import.meta.url).resolve('@playwright/test/cli');
const words = ['test', '--config', join(import.meta.dirname, 'playwright.config.ts'), '--output', join(kept, 'traces')];
if (values.only) words.push('--grep', `(^| )(${values.only.split(',').join('|')})(-|$)`);
if (values.workers) words.push('--workers', values.workers);
if (values.times) words.push('--repeat-each', values.times);
const given = {
  single: values.only !== undefined,
  koab: resolve(koab),
  shared: values.shared && resolve(values.shared),
  whole: values.whole ?? false,
  slow: Number(values.slow ?? 1),
  kept,
  common,
};
// Browsers come from the system, and never from the network.
const env = { ...process.env, KOAB_STORIES: JSON.stringify(given), PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' };
const child = spawn(process.execPath, [cli, ...words], { stdio: 'inherit', env });
const stop = (signal) => child.kill(signal);
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
const code = await new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
await rm(common, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
if (code === 0 || (await readdir(kept)).length === 0) await rm(kept, { recursive: true, force: true });
process.exit(code);
