// What the engine answers about a workspace that has a starter pack and nothing else, written into src/platform/recorded.ts,
// which the scripted host serves.
//
//   npm run record [KOAB]     the binary; without it that of a debug build
//
// Nothing of this machine is kept: places are below `~`, and what depends on the build or the disk has fixed values.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const koab = resolve(process.argv[2] ?? join(import.meta.dirname, '../target/debug/koab'));
const file = join(import.meta.dirname, 'src/platform/recorded.ts');

/** Commands that only read, with the arguments that the page has. */
const READS = {
  app_info: {},
  app_about: {},
  settings_get: {},
  egress_view: { since: null, most: 100 },
  models_list: {},
  snapshots_list: { pack: 'starter' },
  snapshots_all: {},
  task_flags: { pack: 'starter' },
  local_list: {},
  local_engine: {},
  local_trial: { name: 'none' },
  recording_of: { pack: 'starter' },
  recordings: {},
  pulls_list: {},
  published_list: {},
  workspaces_list: {},
  reports_list: {},
  reports_library: {},
  forks_list: { run: null, task: null },
};

/** Values that the build, the disk and the system decide. */
const FIXED = { version: '0.0.0-fake', system: 'linux x86_64', build: 'release', free: null };

const home = await mkdtemp(join(tmpdir(), 'koab-record-'));
// An environment of its own: no keys, no proxies.
const env = { PATH: '/usr/bin:/bin', HOME: home, LC_ALL: 'en_US.UTF-8' };
const words = ['serve', '--port', '0', '--ui', import.meta.dirname];
const server = spawn(koab, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
const ended = new Promise((done) => server.once('exit', done));
try {
  const link = await new Promise((done, fail) => {
    server.once('error', fail);
    createInterface({ input: server.stdout }).once('line', (line) => done(new URL(line)));
    void ended.then((code) => fail(new Error(`koab ended with ${code} before it printed its link`)));
  });

  const post = async (path, body, session) => {
    const headers = { origin: link.origin, ...(session ? { authorization: `Bearer ${session}` } : {}) };
    const response = await fetch(`${link.origin}${path}`, { method: 'POST', body: JSON.stringify(body), headers });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
  const { session } = await post('/api/session', { link: link.hash.replace('#link=', '') });
  const ask = (command, args) => post(`/api/call/${command}`, args, session);

  // The guide of the first start has been seen.
  const { settings } = await ask('settings_get', {});
  await ask('settings_set', { settings: { ...settings, welcomed: true } });

  const answers = {};
  for (const [command, args] of Object.entries(READS)) answers[command] = await ask(command, args);
  const text = JSON.stringify(answers, (name, value) => (Object.hasOwn(FIXED, name) ? FIXED[name] : value), 2);
  // The usual place of a workspace is another one on each system.
  const short = text.replaceAll(home, '~').replaceAll(answers.app_info.home.replace(home, '~'), '~/koab');
  await writeFile(
    file,
    `// Written by \`npm run record\`: answers of the engine about a workspace that has a starter pack and nothing else.
import type { Commands } from '../ipc/gen';

export const RECORDED = ${short} satisfies { [C in keyof Commands]?: Commands[C]['answer'] };
`,
  );
  execFileSync('npx', ['prettier', '--write', '--log-level', 'warn', file], { stdio: 'inherit' });
} finally {
  server.kill('SIGINT');
  await ended;
  await rm(home, { recursive: true });
}
