// Fills a workspace from outside, as the command line does it, for stories that begin with something there.
import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { itemServer, JUDGE, quality, WRONG } from './itemServer.mjs';
import { bfcl, bfclItems, functionchat, functionchatItems } from './items.mjs';

const start = promisify(execFile);

/** Runs `koab` with `--json` and answers its document. */
export async function command(koab, home, ...words) {
  const env = { ...process.env, KOAB_HOME: home, LC_ALL: 'en_US.UTF-8' };
  const { stdout } = await start(koab, [...words, '--json', '--quiet'], { env, maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

/** A run of the golden baseline with some 100,000 attempts, made by the command line: its id and how many there are. */
export async function longRun(koab, home, attempts = 100_000) {
  const { attempts: tasks } = await command(koab, home, 'run', '--model', 'baseline/golden', '--dry-run');
  const repetitions = Math.ceil(attempts / tasks);
  await command(koab, home, 'run', '--model', 'baseline/golden', '--repetitions', String(repetitions));
  const [{ id }] = await command(koab, home, 'runs', 'list');
  return { id, attempts: repetitions * tasks };
}

/**
 * Scenarios that need no container: those that ran to their end and left results, and a file of two of which one goes on
 * as long as the workspace is there.
 */
async function scenarios(koab, home) {
  const bench = join(home, 'bench');
  await mkdir(join(bench, 'Tasks'), { recursive: true });
  const written = async (file, codes) => {
    const lines = [];
    for (const [id, code] of Object.entries(codes)) {
      const template = join(bench, 'Templates', `${file}-${id}`);
      await mkdir(template, { recursive: true });
      await writeFile(join(template, 'scenario.py'), code);
      lines.push(JSON.stringify({ id, template, substitutions: {} }));
    }
    const path = join(bench, 'Tasks', `${file}.jsonl`);
    await writeFile(path, lines.join('\n'));
    return path;
  };
  const passed = "print('ALL TESTS PASSED !#!#')\n";
  const looped = "for _ in range(9): print('the same line')\nprint('Error code: 429')\n" + passed;
  const done = await written('done', { one: passed, two: looped });
  await command(koab, home, 'scenario', 'run', done, '--native', '--yes', '--repeat', '2');
  const waits = `import os, time\nprint('\\x1b[32mwaiting\\x1b[0m', flush=True)\nwhile os.path.exists(${JSON.stringify(bench)}): time.sleep(0.2)\n`;
  return { scenario: 'done', instance: 'two', going: await written('going', { ends: passed, waits }) };
}

/** A sweep of two baselines at three temperatures, made by the command line; its id. */
async function sweep(koab, home) {
  const file = join(home, 'temperatures.toml');
  const text = `name = "temperatures"
packs = ["starter"]
levels = ["L1"]
metric = "ToolAcc"
[[models]]
id = "baseline/golden"
[[models]]
id = "baseline/random"
[settings]
temperature = [0.0, 0.7, 1.0]
[baseline]
model = "baseline/random"
temperature = 0.7
`;
  await writeFile(file, text);
  await command(koab, home, 'sweep', file);
  const kept = await readdir(join(home, 'sweeps'));
  return kept.find((name) => name.endsWith('.toml')).replace('.toml', '');
}

/** The words of a command line that has a model of a scripted server make something, judged there. */
const judged = (baseUrl, skill, ...words) => [
  ...['run', '--model', `openai_compat/skill-${skill}`, '--base-url', baseUrl, ...words],
  ...['--judge-base-url', baseUrl, '--judge-models', 'openai_compat/judge'],
];

/** Judged reports of as many models as an adaptive run needs. */
export async function reportsOf(koab, home, baseUrl, skills) {
  for (const skill of skills) await command(koab, home, ...judged(baseUrl, skill, '--evaluate'));
}

/** An adaptive run, made by the command line. */
export const adaptiveRun = (koab, home, baseUrl, skill, width = '10pp') =>
  command(koab, home, ...judged(baseUrl, skill, '--adaptive', width));

/** The id of an adaptive run in a workspace that had none. */
async function adaptive(koab, home, baseUrl) {
  await adaptiveRun(koab, home, baseUrl, 5);
  const [name] = await readdir(join(home, 'adaptive'));
  return name.replace('.json', '');
}

/** A gate that a model of skill 7 passes against its own report: a run of it, and the report of that. */
async function gate(koab, home, baseUrl, baseline) {
  const model = 'openai_compat/skill-7';
  await command(
    koab,
    home,
    ...['gate', '--baseline', baseline, '--margin', '20pp', '--levels', 'L2', '--seed', '1'],
    ...['--model', model, '--base-url', baseUrl, '--baseline-model', model, '--baseline-url', baseUrl],
    ...['--judge-base-url', baseUrl, '--judge-models', 'openai_compat/judge'],
  );
  const runs = (await command(koab, home, 'runs', 'list')).filter(({ part_of }) => part_of === 'gate');
  const report = (await command(koab, home, 'report', 'list')).find(({ run }) => runs.some(({ id }) => id === run));
  return { run: report.run, report: report.id };
}

/** Two reviews of questions of a judge drawn at random: one is half answered and blind, one answered and revealed. */
async function queues(koab, home, run) {
  const drawn = async (seed, answered) => {
    const words = ['judge', 'queue', run, '--random', '--by', 'Mina', '-k', '36', '--seed', String(seed)];
    const queue = await command(koab, home, ...words);
    for (const [at, question] of queue.questions.slice(0, answered).entries()) {
      // The reviewer sees what the judge sees, and now and then is stricter.
      const isWrong = question.inputs.some(({ text }) => text.includes(WRONG));
      question.your_answer = isWrong || at % 5 === 0 ? 'no' : 'yes';
    }
    const file = join(home, 'answers.json');
    await writeFile(file, JSON.stringify(queue));
    await command(koab, home, 'judge', 'answers', file);
    return queue.queue;
  };
  const [blind, revealed] = [await drawn(1, 8), await drawn(2, 36)];
  await command(koab, home, 'judge', 'reveal', revealed);
  return { blind, revealed };
}

/** A run that was handed to a cluster, and of which one shard was made; its id. Programs that only say yes stand in for the engine. */
async function handedOver(koab, home) {
  const engine = join(home, 'engine');
  await mkdir(engine, { recursive: true });
  for (const [name, says] of [
    ['sinfo', ''],
    ['sbatch', '7'],
  ]) {
    await writeFile(join(engine, name), `#!/bin/sh\necho ${says}\n`, { mode: 0o755 });
  }
  const env = { ...process.env, KOAB_HOME: home, PATH: `${engine}:${process.env.PATH}` };
  const words = ['run', '--model', 'baseline/golden', '--on', 'slurm', '--shards', '14', '--json', '--quiet'];
  const { stdout } = await start(koab, words, { env });
  const { run } = JSON.parse(stdout);
  const { folder } = await command(koab, home, 'runs', 'show', run);
  await command(koab, home, 'run', '--resume', folder, '--shard', '0/14');
  return run;
}

/** The program that writes random models (koab-tiny's example `tiny`); absent where models are not built in. */
export const TINY = process.env.KOAB_TINY;

/** A random model of a few MB in a folder of its own, added to the models of this computer; its name, or `null` without `TINY`. */
export async function tinyModel(koab, home) {
  if (!TINY) return null;
  const folder = join(home, 'Tiny-Qwen3');
  await start(TINY, ['qwen3', folder]);
  return (await command(koab, home, 'models', 'add', folder)).name;
}

/**
 * Two models on made-up items of two other benchmarks, one judged and one not: all reports; of the weaker model the judged
 * run, a task that it gets wrong, the report, and the report without judges.
 */
export async function otherBenchmarks(koab, home) {
  const root = await functionchat(home);
  const items = await functionchatItems(join(root, 'data'));
  const made = [];
  for (const [pack, folder, server] of [
    ['functionchat', root, await itemServer(items)],
    ['bfcl', await bfcl(home), await itemServer(bfclItems, ({ messages }) => messages)],
  ]) {
    await command(koab, home, 'pack', 'import', folder);
    const { baseUrl } = server;
    const judges = ['--judge-base-url', baseUrl, '--judge-models', `openai_compat/${JUDGE}`];
    for (const model of ['clear', 'able']) {
      const words = ['run', '--pack', pack, '--model', `openai_compat/${model}`, '--base-url', baseUrl, '--evaluate'];
      const { reports } = await command(koab, home, ...words, ...(pack === 'functionchat' ? judges : []));
      made.push(reports[0]);
    }
    server.stop();
  }
  const [judged, , unjudged] = made;
  return {
    run: judged.run,
    task: items.find((item) => quality('clear', item) === 'wrong').id,
    report: judged.id,
    unjudged: unjudged.id,
    reports: made.map(({ id }) => id),
  };
}

/**
 * Two scored runs of the starter pack, four of other benchmarks, a bundle of one, a model of this computer, results of scenarios, runs of a gate and of an adaptive run, reviews and, where the reference data is there, the published reports; answers what the
 * screens of `screens.mjs` may show. `server` is a scripted one, which answers as the models and judges of it.
 */
export async function filled(koab, home, shared, server) {
  if (shared) await command(koab, home, 'report', 'import', join(shared, 'parity/reports'));
  const other = await otherBenchmarks(koab, home);
  await command(koab, home, 'run', '--model', 'baseline/golden', '--evaluate');
  await command(koab, home, 'run', '--model', 'baseline/random', '--seed', '1', '--evaluate');
  await command(koab, home, 'pack', 'draft', 'mine', '--from', 'starter');
  const model = await tinyModel(koab, home);
  const bundle = join(home, 'one.koab');
  const [{ id: bundled }] = await command(koab, home, 'runs', 'list');
  await command(koab, home, 'submit', 'bundle', bundled, '-o', bundle);
  const lies = await known(koab, home);
  const reports = lies.reports.filter((id) => !other.reports.includes(id));
  const there = { ...lies, report: reports[0], reports, other, ...(await scenarios(koab, home)), model };
  const cluster = await handedOver(koab, home);
  const swept = await sweep(koab, home);
  await reportsOf(koab, home, server.baseUrl, [3, 4, 6, 7]);
  const scored = await command(koab, home, 'report', 'list');
  const reviews = await queues(koab, home, other.run);
  const chosen = await adaptive(koab, home, server.baseUrl);
  const baseline = scored.find(({ model }) => model.endsWith('skill-7'));
  const gated = await gate(koab, home, server.baseUrl, baseline.id);
  // Something to import: it is there already.
  return {
    ...there,
    cluster,
    bundle,
    sweep: swept,
    adaptive: chosen,
    gate: gated,
    queues: reviews,
    server,
    file: join(home, 'reports', there.report, 'evaluation_report.json'),
  };
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
