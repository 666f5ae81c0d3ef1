// Items of the benchmarks that are not Ko-AgentBench, in the files of their authors: made up, or read from a folder of them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const TYPES = ['call', 'completion', 'slot', 'relevance'];
const RUBRICS = TYPES.map((type) => `rubric_${type}`);
const user = (content) => ({ role: 'user', content });
const lines = (rows) => rows.map((row) => JSON.stringify(row)).join('\n') + '\n';
const call = (name, args) => ({ type: 'function', function: { name, arguments: JSON.stringify(args) } });
const speech = (content) => ({ role: 'assistant', content });
const calling = (name, args) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'random_id', ...call(name, args) }],
});

const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: '도시의 날씨를 알려 준다.',
    parameters: { type: 'object', properties: { city: { type: 'string', description: '도시' } }, required: ['city'] },
  },
};
const clock = { type: 'function', function: { name: 'clock', description: '시각을 알려 준다.', parameters: {} } };

/** What a good assistant says at a turn of each type. */
const truths = {
  call: (city) => calling('weather', { city }),
  completion: (city) => speech(`${city}은 지금 맑습니다.`),
  slot: () => speech('어느 도시의 날씨가 궁금하세요?'),
  relevance: () => speech('그 일은 도와드릴 수 없습니다.'),
};

/** 66 items of FunctionChat in all its groups, in a plain checkout below `folder`; answers where. */
export async function functionchat(folder) {
  const root = join(folder, 'FunctionChat-Bench');
  await mkdir(join(root, 'data'), { recursive: true });
  const cities = ['서울', '부산', '대구', '인천', '광주', '대전', '울산', '세종'];
  const turns = { CALL: 'call', REJECT: 'relevance', 'SLOT-all': 'slot', 'SLOT-some': 'slot' };
  const decisions = Object.entries(turns).flatMap(([category, type], at) =>
    cities.slice(0, 5).map((city, nth) => ({
      serial_num: at * 5 + nth + 1,
      category,
      input_messages: [{ role: 'system', content: '한국어로 답하세요.' }, user(`${city}, ${category} ${nth + 1}`)],
      input_tools: [weather, clock],
      type_of_output: type,
      ground_truth: truths[type](city),
      acceptable_arguments: type === 'call' ? { city: [`${city}시`] } : null,
    })),
  );
  const sets = { exact: [weather], '4_random': [clock, weather], '4_close': [weather, clock] };
  sets['8_random'] = [...sets['4_random'], { ...clock, function: { ...clock.function, name: 'timer' } }];
  sets['8_close'] = [...sets['8_random'], { ...clock, function: { ...clock.function, name: 'alarm' } }];
  const numbered = (contents) => contents.map((content, at) => ({ serial_num: at + 1, content }));
  const singles = [
    {
      function_num: 1,
      function_name: 'weather',
      function_info: {},
      query: numbered(cities.slice(0, 4).map((city) => `${city}의 날씨는?`)),
      ground_truth: numbered(
        cities.slice(0, 4).map((city) => JSON.stringify({ name: 'weather', arguments: JSON.stringify({ city }) })),
      ),
      acceptable_arguments: numbered([null, null, null, null]),
      tools: Object.entries(sets).map(([type, content]) => ({ type, content })),
    },
  ];
  const dialogs = cities.slice(0, 6).map((city, at) => {
    const asked = [user('날씨 좀 알려 줘.')];
    const told = [...asked, truths.slot(city), user(`${city}이요.`)];
    const looked = [
      ...told,
      truths.call(city),
      { role: 'tool', tool_call_id: 'random_id', name: 'weather', content: '{"sky": "맑음"}' },
    ];
    const queries = { slot: asked, call: told, completion: looked };
    queries.relevance = [...looked, truths.completion(city), user(`${city}에 비가 오게 해 줘.`)];
    const rows = Object.entries(queries).map(([type, query], nth) => ({
      turn_num: nth + 1,
      serial_num: at * 4 + nth + 1,
      query,
      ground_truth: truths[type](city),
      type_of_output: type,
      acceptable_arguments: null,
    }));
    return { dialog_num: at + 1, tools_count: 2, tools: [weather, clock], turns: rows };
  });
  const file = (name, text) => writeFile(join(root, 'data', name), text);
  await file('FunctionChat-CallDecision.jsonl', lines(decisions));
  await file('FunctionChat-Singlecall.jsonl', lines(singles));
  await file('FunctionChat-Dialog.jsonl', lines(dialogs));
  const holes = '[도구]\n{tools}\n[대화]\n{query}\n[정답]\n{ground_truth}\n';
  for (const rubric of RUBRICS) {
    const accepted = rubric === 'rubric_call' ? '[허용]\n{acceptable_arguments}\n' : '';
    await file(
      `${rubric}.txt`,
      `${rubric}: 답을 채점하세요.\n${holes}${accepted}[답]\n{response}\n마지막 두 줄에 pass 또는 fail.`,
    );
  }
  await file('system_prompt.txt', '한국어로 답하세요.\n');
  await writeFile(join(root, 'LICENSE'), 'Apache License');
  return root;
}

/** What the five made-up items of BFCL ask, and what is right. */
export const bfclItems = [
  ...[3, 4, 5].map((n, at) => ({ id: `multiple_${at}`, text: `Square ${n}.`, n })),
  ...['Sing.', 'Dance.'].map((text, at) => ({ id: `irrelevance_${at}`, text, n: null })),
].map(({ id, text, n }) => ({
  group: ['non_live', id.split('_')[0]],
  id,
  messages: [user(text)],
  type: n === null ? 'irrelevance' : 'call',
  truth: n === null ? speech('') : calling('math_square', { n }),
  /** The reply of a model that is wrong here, where words alone would be right. */
  fault: n === null ? calling('math_square', { n: 1 }) : null,
  n,
}));

/** They in a checkout below `folder`; answers where. */
export async function bfcl(folder) {
  const root = join(folder, 'gorilla');
  const data = join(root, 'berkeley-function-call-leaderboard/bfcl_eval/data');
  await mkdir(join(data, 'possible_answer'), { recursive: true });
  const square = {
    name: 'math.square',
    description: 'Squares a number.',
    parameters: { type: 'dict', properties: { n: { type: 'integer', description: 'The number.' } }, required: ['n'] },
  };
  const questions = (of) => lines(of.map(({ id, messages }) => ({ id, question: [messages], function: [square] })));
  const [idle, multiple] = [true, false].map((isIdle) => bfclItems.filter(({ n }) => (n === null) === isIdle));
  const accepted = multiple.map(({ id, n }) => ({ id, ground_truth: [{ 'math.square': { n: [n] } }] }));
  await writeFile(join(data, 'BFCL_v4_multiple.json'), questions(multiple));
  await writeFile(join(data, 'possible_answer/BFCL_v4_multiple.json'), lines(accepted));
  await writeFile(join(data, 'BFCL_v4_irrelevance.json'), questions(idle));
  await writeFile(join(root, 'LICENSE'), 'Apache License');
  return root;
}

const read = async (path) =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => JSON.parse(line));

/**
 * Every item of FunctionChat whose files lie in the folder, as its authors ask it: group, id, messages, tools, what kind of
 * turn it is, and the reply that is right.
 */
export async function functionchatItems(data) {
  const system = { role: 'system', content: (await readFile(join(data, 'system_prompt.txt'), 'utf8')).trim() };
  const decisions = (await read(join(data, 'FunctionChat-CallDecision.jsonl'))).map((row) => ({
    group: ['CallDecision', row.category],
    id: `calldecision:${row.serial_num}`,
    messages: row.input_messages,
    tools: row.input_tools,
    type: row.type_of_output,
    truth: row.ground_truth,
  }));
  const singles = (await read(join(data, 'FunctionChat-Singlecall.jsonl'))).flatMap((row) =>
    row.query.flatMap(({ serial_num, content }, nth) =>
      row.tools.map(({ type: set, content: tools }) => {
        const { name, arguments: text } = JSON.parse(row.ground_truth[nth].content);
        const tool_calls = [{ id: 'random_id', type: 'function', function: { name, arguments: text } }];
        const truth = { role: 'assistant', content: null, tool_calls };
        const messages = [system, user(content)];
        return {
          group: ['SingleCall', set],
          id: `singlecall:${serial_num}:${set}`,
          messages,
          tools,
          type: 'call',
          truth,
        };
      }),
    ),
  );
  const dialogs = (await read(join(data, 'FunctionChat-Dialog.jsonl'))).flatMap(({ tools, turns }) =>
    turns.map((turn) => ({
      group: ['Dialog', turn.type_of_output],
      id: `dialog:${turn.serial_num}`,
      messages: [system, ...turn.query],
      tools,
      type: turn.type_of_output,
      truth: turn.ground_truth,
    })),
  );
  return [...decisions, ...singles, ...dialogs];
}
