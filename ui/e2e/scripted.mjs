// A server that answers as model and as judge, when it is told, and counts what it is asked.
//
// As the model `slow` it calls a tool three times and then answers; as `skill-4` it answers well where the task is no harder
// than 4 of 7; as any other model it answers at once. As a judge it says yes and grades 5, but for answers that are not good. What is asked of a judge is told apart by its text: success is voted on several times in one.
import { gate } from './gate.mjs';
import { modelServer } from './modelServer.mjs';

const NOT_GOOD = '모르겠습니다.';

/** How hard a task is, from 0 to 7: by what the user says first. */
function difficulty(messages) {
  const said = messages.find(({ role }) => role === 'user')?.content ?? '';
  return Buffer.from(JSON.stringify(said)).reduce((sum, byte) => (sum + byte) % 8, 0);
}

export async function scripted() {
  const models = gate();
  /** Questions that the judge still answers; who asks more waits until it goes away. */
  const left = { judge: Infinity };
  const judged = new Map();
  let answered = 0;
  const skills = [3, 4, 5, 6, 7].map((skill) => `skill-${skill}`);
  const { baseUrl, dropped, stop } = await modelServer(['quick', 'slow', 'judge', ...skills], async (body, waits) => {
    const isJudge = body.model === 'judge';
    const text = JSON.stringify(body.messages);
    if (isJudge) judged.set(text, (judged.get(text) ?? 0) + 1);
    if (!isJudge) await models.pass(waits);
    if (!waits()) return undefined;
    if (isJudge) {
      if (left.judge === 0) return undefined;
      left.judge -= 1;
      answered += 1;
      const success = !text.includes(NOT_GOOD);
      return { content: JSON.stringify({ reason: 'scripted', success, score: 5, confidence: 1 }) };
    }
    const [, skill] = /^skill-(\d)$/.exec(body.model) ?? [];
    if (skill !== undefined)
      return { content: difficulty(body.messages) <= Number(skill) ? '좋은 답변입니다.' : NOT_GOOD };
    const turns = body.messages.filter(({ role }) => role === 'assistant').length;
    const tool = body.tools?.[0]?.function?.name;
    if (body.model === 'slow' && turns < 3 && tool) {
      const call = { name: tool, arguments: JSON.stringify({ turn: turns }) };
      const tool_calls = [{ id: `call-${turns}`, type: 'function', function: call }];
      return { content: `step ${turns + 1}`, tool_calls };
    }
    return { content: '서울의 날씨는 맑습니다.' };
  });
  return {
    baseUrl,
    /** What models wait at before they answer. */
    gate: models,
    left,
    /** How often each question was put to a judge. */
    judged,
    /** Askings of judges so far. */
    asked: () => [...judged.values()].reduce((sum, times) => sum + times, 0),
    /** Answers of judges so far. */
    answered: () => answered,
    /** Requests whose asker went away before they were answered. */
    dropped,
    stop,
  };
}
