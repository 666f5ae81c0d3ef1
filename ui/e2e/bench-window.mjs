// What the window costs over a bare one: from its start to a usable page, and idle memory. Output as in bench.mjs.
//
//   node e2e/bench-window.mjs WINDOW BARE_WINDOW KOAB
//
// Both are driven and measured in the same way, in turn: each is started through a script that writes down when, and its
// page marks the moment when it can be used (`performance.mark('usable')`).
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDisplay, openSession } from './webdriver.mjs';
import { longRun } from './workspace.mjs';

const [ours, bare, koab] = process.argv.slice(2).map((path) => resolve(path));
/** A bare window starts in one of two ways, some 430 or 740 ms: few rounds say more of how many were of which than of ours. */
const ROUNDS = 60;
/** Rounds in which memory is weighed too: it takes long, and swings little. */
const WEIGHED = 5;
const IDLE_MS = 3_000;
const USABLE =
  "return performance.getEntriesByName('usable')[0] ? performance.timeOrigin + performance.getEntriesByName('usable')[0].startTime : 0";

const at = (values, share) => [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];
const middle = (values) => at(values, 0.5);
const row = (name, value, unit, target = {}) => console.log(JSON.stringify({ name, value, unit, ...target }));

const display = await openDisplay();
const homes = await mkdtemp(join(tmpdir(), 'koab-bench-'));
const found = { ours: { start: [], memory: [] }, bare: { start: [], memory: [] } };
let long;
try {
  // The first of each reads its libraries from the disk, and makes its workspace.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const weigh = round <= WEIGHED;
    const pair = Object.entries({ ours, bare });
    // Each is the first of a round as often: what comes second may find the machine busy with the end of the first.
    for (const [name, binary] of round % 2 === 0 ? pair : pair.reverse()) {
      const { start, memory } = await once(binary, join(homes, name), weigh);
      if (round === 0) continue;
      found[name].start.push(start);
      if (weigh) found[name].memory.push(memory);
    }
  }
  long = await openLongRun(join(homes, 'long'));
} finally {
  display.close();
  await rm(homes, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
const start = [middle(found.ours.start), middle(found.bare.start)];
const memory = [middle(found.ours.memory), middle(found.bare.memory)];
row('window, exec to usable', start[0], 'ms');
row('a bare window, exec to its page', start[1], 'ms');
const ratios = beside('start');
row('the window’s start over the bare one’s', middle(ratios), '×', { at_most: 1.2 });
row('the same, a quarter of the rounds below', at(ratios, 0.25), '×');
row('the same, a quarter of the rounds above', at(ratios, 0.75), '×');
row('window idle, PSS of all its processes', memory[0], 'MiB');
row('a bare window idle, the same', memory[1], 'MiB');
row('the window’s memory over the bare one’s', middle(beside('memory')), '×', { at_most: 1.1 });

row(`a run of ${long.attempts} attempts opens in the window`, long.opens, 'ms', { at_most: 500 });
row('the window with it over a bare one, PSS of all processes', long.memory - memory[1], 'MiB', { at_most: 100 });

/** The rounds' ratios: what else the machine does meets both windows of a round alike. */
function beside(what) {
  return found.ours[what].map((value, round) => value / found.bare[what][round]);
}

/** A run that the command line has made, in a window that has not seen it before. */
async function openLongRun(home) {
  const { id, attempts } = await longRun(koab, home);
  return inWindow(ours, home, async (page, { pid }) => {
    await page.run(`
      const begun = performance.now();
      const look = () => {
        if (document.querySelector('[data-task]')) window.opened_ = performance.now() - begun;
        else requestAnimationFrame(look);
      };
      location.hash = ${JSON.stringify(`#/runs/${encodeURIComponent(id)}`)};
      requestAnimationFrame(look);
    `);
    const opens = await page.until('the run', 'return window.opened_ ?? 0', 60_000);
    await new Promise((done) => setTimeout(done, IDLE_MS));
    return { attempts, opens, memory: await memoryOf(pid) };
  });
}

async function once(binary, home, weigh) {
  return inWindow(binary, home, async (page, { begun, usable, pid }) => {
    if (!weigh) return { start: usable - begun, memory: null };
    await new Promise((done) => setTimeout(done, IDLE_MS));
    // Past the first start, as on every later day.
    await page.run("document.querySelector('#start-skip')?.click()");
    await page.until('the first screen', "return !document.querySelector('#start-skip')", 60_000);
    return { start: usable - begun, memory: await memoryOf(pid) };
  });
}

/** Starts a window and does something in it once its page can be used. */
async function inWindow(binary, home, act) {
  const folder = await mkdtemp(join(tmpdir(), 'koab-bench-'));
  const script = join(folder, 'start');
  await writeFile(
    script,
    `#!/bin/sh\ndate +%s%N > '${folder}/begun'\necho $$ > '${folder}/pid'\nexec '${binary}' "$@"\n`,
  );
  await chmod(script, 0o755);
  const env = { DISPLAY: display.display, KOAB_HOME: home };
  for (const name of ['DATA', 'CACHE', 'CONFIG']) env[`XDG_${name}_HOME`] = join(folder, name);
  const page = await openSession({ binary: script, env });
  try {
    const usable = await page.until('a usable page', USABLE, 60_000);
    const begun = Number(await readFile(join(folder, 'begun'), 'utf8')) / 1e6;
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
    return await act(page, { begun, usable, pid });
  } finally {
    await page.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** MiB of a process and all below it, what they share counted once. */
async function memoryOf(root) {
  const parents = new Map();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const status = await readFile(`/proc/${entry}/status`, 'utf8').catch(() => '');
    parents.set(Number(entry), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
  }
  const family = [root];
  for (const pid of family) for (const [child, parent] of parents) if (parent === pid) family.push(child);
  let kibibytes = 0;
  for (const pid of family) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    kibibytes += Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }
  return kibibytes / 1024;
}
