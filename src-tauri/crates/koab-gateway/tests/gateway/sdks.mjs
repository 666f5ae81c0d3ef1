// Asks the gateway with the vendors' own clients, and says what they read, one JSON line a question.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// The clients lie where the test put them.
const { resolve } = createRequire(`${process.env.CLIENTS}/`);
const load = (name) => import(pathToFileURL(resolve(name)).href);
const OpenAI = (await load('openai')).default;
const Anthropic = (await load('@anthropic-ai/sdk')).default;
const { GoogleGenAI } = await load('@google/genai');

const { GATEWAY: base, TOKEN: token } = process.env;
const questions = ['text', 'call', 'three', 'empty', 'nothing', 'cut', 'refused'];
const schema = { type: 'object', properties: { 장소: { type: 'string' } } };
const chatTool = { type: 'function', function: { name: 'search', parameters: schema } };
const tool = { type: 'function', name: 'search', parameters: schema, strict: false };

const chat = new OpenAI({ baseURL: `${base}/v1`, apiKey: token, maxRetries: 0 });
const claude = new Anthropic({ baseURL: base, apiKey: token, maxRetries: 0 });
const gemini = new GoogleGenAI({ apiKey: token, httpOptions: { baseUrl: base } });

const completion = ({ choices: [choice] }) => {
  const calls = (choice.message.tool_calls ?? []).map((call) => [
    call.function.name,
    JSON.parse(call.function.arguments),
  ]);
  return [choice.message.content ?? '', calls, choice.finish_reason];
};
const response = (answer) => {
  const calls = answer.output
    .filter((item) => item.type === 'function_call')
    .map((call) => [call.name, JSON.parse(call.arguments)]);
  const ends = { completed: calls.length ? 'tool_calls' : 'stop', incomplete: 'length' };
  return [answer.output_text ?? '', calls, ends[answer.status]];
};
const message = (answer) => {
  const text = answer.content.filter((block) => block.type === 'text').map((block) => block.text);
  const calls = answer.content
    .filter((block) => block.type === 'tool_use')
    .map((block) => [block.name, block.input]);
  const ends = { end_turn: 'stop', tool_use: 'tool_calls', max_tokens: 'length' };
  return [text.join(''), calls, ends[answer.stop_reason]];
};
const content = (answers) => {
  let text = '';
  let end;
  const calls = [];
  for (const answer of answers) {
    const [candidate] = answer.candidates;
    end = candidate.finishReason ?? end;
    for (const part of candidate.content.parts) {
      text += part.text ?? '';
      if (part.functionCall) calls.push([part.functionCall.name, part.functionCall.args]);
    }
  }
  const ends = { STOP: calls.length ? 'tool_calls' : 'stop', MAX_TOKENS: 'length' };
  return [text, calls, ends[end]];
};

const asked = (question) => [{ role: 'user', content: question }];
const inChat = (question) => ({ model: 'm', messages: asked(question), tools: [chatTool] });
const inResponses = (question) => ({ model: 'm', input: question, tools: [tool] });
const inMessages = (question) => ({
  model: 'm',
  max_tokens: 99,
  messages: asked(question),
  tools: [{ name: 'search', input_schema: schema }],
});
const inGemini = (question) => ({
  model: 'm',
  contents: question,
  config: { tools: [{ functionDeclarations: [{ name: 'search', parametersJsonSchema: schema }] }] },
});

const ways = {
  chat_whole: async (question) => completion(await chat.chat.completions.create(inChat(question))),
  chat_streamed: async (question) =>
    completion(await chat.chat.completions.stream(inChat(question)).finalChatCompletion()),
  responses_whole: async (question) => response(await chat.responses.create(inResponses(question))),
  responses_streamed: async (question) => {
    const events = chat.responses.stream(inResponses(question));
    let last;
    for await (const event of events) last = event;
    return response({ output_text: text(last.response), ...last.response });
  },
  messages_whole: async (question) => message(await claude.messages.create(inMessages(question))),
  messages_streamed: async (question) =>
    message(await claude.messages.stream(inMessages(question)).finalMessage()),
  gemini_whole: async (question) => content([await gemini.models.generateContent(inGemini(question))]),
  gemini_streamed: async (question) => {
    const answers = [];
    for await (const answer of await gemini.models.generateContentStream(inGemini(question))) {
      answers.push(answer);
    }
    return content(answers);
  },
};
const text = ({ output }) =>
  output
    .filter((item) => item.type === 'message')
    .map((item) => item.content[0].text)
    .join('');
const say = (line) => console.log(JSON.stringify(line));
const all = async (list) => {
  const found = [];
  for await (const model of await list) found.push(model.id ?? model.name);
  return found;
};

for (const [name, ask] of Object.entries(ways)) {
  for (const question of questions) {
    try {
      say([name, question, await ask(question)]);
    } catch (error) {
      if (!error.status) throw error;
      say([name, question, error.status]);
    }
  }
}
const counted = await claude.messages.countTokens({ model: 'm', messages: asked('12345678') });
say(['count', 'messages', counted.input_tokens]);
say(['count', 'gemini', (await gemini.models.countTokens({ model: 'm', contents: '12345678' })).totalTokens]);
say(['models', 'openai', await all(chat.models.list())]);
say(['models', 'anthropic', await all(claude.models.list())]);
say(['models', 'gemini', await all(gemini.models.list())]);
