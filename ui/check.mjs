// `npm run check`: formatting, lint and types, two programs at a time. Each keeps what it knows in node_modules/.cache.
//
// A program that passed is not started again while nothing that it reads has changed: every file of this folder that git knows or
// would add, the packages, and Node. `--fresh` starts with no cache.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
process.chdir(folder);
const ROOT = 'node_modules/.cache/check';
if (process.argv.includes('--fresh')) rmSync(ROOT, { recursive: true, force: true });

const hash = (...parts) => {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part).update('\0');
  return sum.digest('hex').slice(0, 16);
};
const read = (path) => (existsSync(path) ? readFileSync(path) : 'absent');

// What decides how a file is judged: with another package, configuration or Node, no earlier judgement counts.
const RULES = [
  'check.mjs',
  'package.json',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'eslint.config.js',
  'svelte.config.js',
  'tsconfig.json',
  'e2e/tsconfig.json',
  '.prettierrc.json',
  '.prettierignore',
  '../.gitignore',
];
const rules = hash(process.version, folder, ...RULES.flatMap((path) => [path, read(path)]));
const cache = `${ROOT}/${rules}`;
mkdirSync(cache, { recursive: true });
for (const other of readdirSync(ROOT)) {
  if (other !== rules) rmSync(`${ROOT}/${other}`, { recursive: true });
}

/** A hash of all that is checked, and one of what has types for others; nothing where git cannot tell what that is. */
function inputs() {
  try {
    const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '.'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const paths = [...new Set(list.split('\0').filter(Boolean))].sort();
    if (paths.length === 0) return null;
    // Tests read a few files outside: a type of one is that of its content.
    const outside = paths
      .filter((path) => /\.(ts|svelte|mjs)$/.test(path) && existsSync(path))
      .flatMap((path) =>
        [...readFileSync(path, 'utf8').matchAll(/from '((?:\.\.\/)+[\w./-]+\.json)'/g)].map(([, to]) => [path, to]),
      )
      .map(([path, to]) => fileURLToPath(new URL(to, new URL(path, import.meta.url))));
    const hashOf = (files) => hash(rules, ...files.flatMap((path) => [path, read(path)]));
    // No file sees the types of a test.
    const typed = paths.filter((path) => /\.(ts|svelte|mjs|json)$/.test(path) && !/\.(test|spec)\.ts$/.test(path));
    return { all: hashOf([...paths, ...outside]), types: hashOf([...typed, ...outside]) };
  } catch {
    return null;
  }
}

const before = inputs();

// ESLint keeps a judgement by the content of its file alone, but types of other files decide it too.
const lint = `eslint-${before?.types ?? 'unknown'}.json`;
for (const file of readdirSync(cache)) {
  if (file.startsWith('eslint-') && (file !== lint || before === null)) rmSync(`${cache}/${file}`);
}

// TypeScript reads components as their scripts. If it read the markup, it would build its program anew at each component.
const LINT_ENV = { SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK: '1' };

const BESIDE = ['--cache', '--cache-strategy', 'content', '--cache-location'];
// The longest first.
const PROGRAMS = [
  ['eslint', ['eslint/bin/eslint.js', '.', ...BESIDE, `${cache}/${lint}`], LINT_ENV],
  ['svelte-check', ['svelte-check/bin/svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings']],
  [
    'prettier',
    ['prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.', ...BESIDE, `${cache}/prettier.json`],
  ],
  ['tsc', ['typescript/bin/tsc', '-p', 'e2e/tsconfig.json', '--incremental', '--tsBuildInfoFile', `${cache}/tsc.json`]],
];

const isPassed = (name) => before !== null && String(read(`${cache}/${name}.passed`)) === before.all;

function start([name, [program, ...rest], env = {}]) {
  const begun = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`node_modules/${program}`, ...rest], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => resolve([name, false, `${error}\n`]));
    child.on('close', (code, signal) => {
      const seconds = ((performance.now() - begun) / 1e3).toFixed(1);
      resolve([
        name,
        code === 0,
        `${output}${name}: ${code === 0 ? 'passed' : `failed (${signal ?? code})`}, ${seconds} s\n`,
      ]);
    });
  });
}

const waiting = PROGRAMS.filter(([name]) => {
  if (isPassed(name)) process.stdout.write(`${name}: passed before, nothing has changed since\n`);
  return !isPassed(name);
});
const passed = [];
let failed = false;
async function work() {
  for (let program = waiting.shift(); program; program = waiting.shift()) {
    const [name, isRight, output] = await start(program);
    process.stdout.write(output);
    if (isRight) passed.push(name);
    else failed = true;
  }
}
await Promise.all([work(), work()]);
// What was written while the programs ran may not have been seen by them.
if (before !== null && inputs()?.all === before.all)
  for (const name of passed) writeFileSync(`${cache}/${name}.passed`, before.all);
process.exitCode = failed ? 1 : 0;
