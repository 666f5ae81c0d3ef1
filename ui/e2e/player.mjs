// A server that answers as two models and as two judges, always alike: what the pictures of the guide are made of.
//
// `model-a` follows the golden paths of the pack, `model-b` leaves the last call of every second task out. `judge-a` grades
// what it is asked, `judge-b` is stricter.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelServer } from './modelServer.mjs';

const LEVELS = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7'];
const USAGE = { prompt_tokens: 1480, completion_tokens: 96, total_tokens: 1576 };

/** The tasks of a pack's folder, by what the user asks first. */
async function tasksOf(folder) {
  const files = await Promise.all(
    LEVELS.map(async (level) => JSON.parse(await readFile(join(folder, `${level}.json`), 'utf8'))),
  );
  return files.flatMap((file) => file.tasks ?? file);
}

/** The calls that solve a task; where one of them is made to fail, the first fallback too. */
const callsOf = ({ golden_action: golden = [], fallback_options: fallbacks = [] }) =>
  [golden, fallbacks.slice(0, 1)].flat().filter(({ tool }) => tool);

/** Whether the weaker model falls short of a task, and the stricter judge refuses an answer. */
const odd = (text) => [...text].reduce((sum, sign) => sum + sign.codePointAt(0), 0) % 2 === 1;

function answerOf(tasks, { model, messages }) {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const done = messages.slice(asked).filter(({ role }) => role === 'tool').length;
  const text = String(messages[asked]?.content ?? '');
  const task = tasks.find(({ instruction }) => instruction === text);
  const weak = model === 'model-b' && odd(text);
  const calls = task ? callsOf(task) : [];
  const next = calls.slice(0, weak ? -1 : undefined)[done];
  if (next) {
    const call = { name: next.tool, arguments: JSON.stringify(next.args) };
    return { tool_calls: [{ id: `call-${done}`, type: 'function', function: call }] };
  }
  return { content: weak ? '요청하신 내용은 일부만 확인했습니다.' : '요청하신 내용을 확인해 정리했습니다.' };
}

function verdictOf({ model, messages }) {
  const text = JSON.stringify(messages);
  const partly = text.includes('일부만 확인했습니다');
  const strict = model === 'judge-b' && text.length % 3 === 0;
  const success = !partly && !strict;
  const reason = success ? '요청한 사실이 답변에 있습니다.' : '요청한 사실 가운데 빠진 것이 있습니다.';
  return { content: JSON.stringify({ reason, success, score: success ? 5 : partly ? 2 : 3, confidence: 0.9 }) };
}

/** Starts it on the tasks of a pack's folder. */
export async function player(folder) {
  const tasks = await tasksOf(folder);
  return modelServer(
    ['model-a', 'model-b', 'judge-a', 'judge-b'],
    (body) => (body.model.startsWith('judge') ? verdictOf(body) : answerOf(tasks, body)),
    USAGE,
  );
}
