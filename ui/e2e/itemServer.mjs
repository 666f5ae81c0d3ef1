// A server that answers the items of FunctionChat as models of known quality, and as their judge.
//
// Which reply a model gives at an item follows from the item's text, so that the figures can be counted without any scoring:
// the right one, a wrong one, or one of which the judge says neither pass nor fail.
import { createHash } from 'node:crypto';
import { gate } from './gate.mjs';
import { modelServer } from './modelServer.mjs';

/** What a model replies that is wrong, where the item has no wrong reply of its own. */
export const WRONG = '틀린 답입니다 (scripted)';
const VAGUE = '애매한 답입니다 (scripted)';
/** What the judge says of a right reply; the transcript shows it. */
export const PRAISE = '기준을 모두 지킨 답입니다 (scripted)';

/** Of a hundred items, how many a model gets wrong, and how many more it is vague at. */
const MODELS = { able: { wrong: 20, vague: 2 }, weak: { wrong: 50, vague: 4 }, clear: { wrong: 35, vague: 0 } };
export const JUDGE = 'judge';

const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
};
const textOf = ({ messages, tools }) => JSON.stringify(sorted({ messages, tools: tools ?? [] }));

/** `right`, `wrong` or `vague`: what this model gives at this item. */
export function quality(model, item) {
  const draw = createHash('sha256').update(textOf(item)).digest().readUInt32BE(0) % 100;
  const { wrong, vague } = MODELS[model];
  if (draw < wrong) return 'wrong';
  return draw < wrong + vague ? 'vague' : 'right';
}

/** `asked` answers what of a request tells items apart. */
export async function itemServer(items, asked = ({ messages, tools }) => ({ messages, tools: tools ?? [] })) {
  const keyOf = (request) => JSON.stringify(sorted(asked(request)));
  const truths = new Map(items.map((item) => [keyOf(item), item]));
  const models = gate();
  const counts = { model: 0, judge: 0, unknown: 0 };
  const judged = (question) => {
    // The reply stands behind the truth, which may be in any words: what is told apart are words that no truth has.
    if (question.includes(WRONG)) return '정답과 다릅니다.\n\nfail\nfail';
    if (question.includes(VAGUE)) return '판단하기 어렵습니다.\n\n모르겠습니다\n모르겠습니다';
    return `${PRAISE}\n\npass\npass`;
  };
  const { baseUrl, stop } = await modelServer([...Object.keys(MODELS), JUDGE], async (body, waits) => {
    if (body.model === JUDGE) {
      counts.judge += 1;
      return { content: judged(body.messages.at(-1).content) };
    }
    counts.model += 1;
    await models.pass(waits);
    const item = truths.get(keyOf(body));
    if (!item) {
      counts.unknown += 1;
      return { content: WRONG };
    }
    const given = quality(body.model, item);
    if (given === 'wrong') return item.fault ?? { content: WRONG };
    return given === 'vague' ? { content: VAGUE } : item.truth;
  });
  return {
    baseUrl,
    /** What models wait at before they answer. */
    gate: models,
    /** Requests so far: to models, to the judge, and to models about what is no item. */
    asked: counts,
    stop,
  };
}

/** Passes, fails and unlabelled of a model, by set and group, as they follow from the replies alone. */
export function tally(model, items) {
  const counts = {};
  for (const item of items) {
    const [set, group] = item.group;
    const count = ((counts[set] ??= {})[group] ??= { right: 0, wrong: 0, vague: 0 });
    count[quality(model, item)] += 1;
  }
  return counts;
}
