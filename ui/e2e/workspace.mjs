// Fills a workspace from outside, as the command line does it, for stories that begin with something there.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const start = promisify(execFile);

/** Runs `koab` with `--json` and answers its document. */
export async function command(koab, home, ...words) {
  const env = { ...process.env, KOAB_HOME: home, LC_ALL: 'en_US.UTF-8' };
  const { stdout } = await start(koab, [...words, '--json', '--quiet'], { env, maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

/**
 * Two scored runs of the starter pack and, where the reference data is there, the published reports; answers what the
 * screens of `screens.mjs` may show.
 */
export async function filled(koab, home, shared) {
  if (shared) await command(koab, home, 'report', 'import', join(shared, 'parity/reports'));
  await command(koab, home, 'run', '--model', 'baseline/golden', '--evaluate');
  await command(koab, home, 'run', '--model', 'baseline/random', '--seed', '1', '--evaluate');
  const there = await known(koab, home);
  // Something to import: it is there already.
  return { ...there, file: join(home, 'reports', there.report, 'evaluation_report.json') };
}

/** What lies in the workspace: a run, a task of it, its report, all reports. */
export async function known(koab, home) {
  const runs = await command(koab, home, 'runs', 'list');
  const reports = await command(koab, home, 'report', 'list');
  const ids = (reports.reports ?? reports).map(({ id }) => id);
  return { run: (runs.runs ?? runs)[0]?.id, task: 'L1-001', report: ids[0], reports: ids };
}

/** The published pack, made the active one. */
export const importPack = (koab, home, shared) =>
  command(koab, home, 'pack', 'import', join(shared, 'ko-agentbench'), '--use');
