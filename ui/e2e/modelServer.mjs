// A server of models as the chat completions API has them; what they say is its caller's.
import { createServer } from 'node:http';

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString() || '{}');
}

function answerJson(answer, body) {
  const text = JSON.stringify(body);
  answer.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  answer.end(text);
}

/**
 * Starts it on a free port. `reply` gets the body of a question and answers `{ content, tool_calls }`, `{ status }` where it
 * refuses, or nothing where the asker waits until it goes away. `dropped` counts those that went away before they were answered.
 */
export async function modelServer(models, reply, usage = USAGE) {
  let dropped = 0;
  const server = createServer(async (request, answer) => {
    if (request.method === 'GET')
      return answerJson(answer, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
    answer.on('close', () => (dropped += answer.writableFinished ? 0 : 1));
    try {
      const body = await bodyOf(request);
      // As every server answers the empty request of a check.
      if (!body.messages) return answer.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"empty"}');
      const said = await reply(body, () => !answer.destroyed);
      if (!said || answer.destroyed) return undefined;
      if (said.status) return answer.writeHead(said.status).end();
      const { content = null, tool_calls } = said;
      const finish_reason = tool_calls ? 'tool_calls' : 'stop';
      const choices = [{ index: 0, message: { role: 'assistant', content, tool_calls }, finish_reason }];
      return answerJson(answer, { id: 'x', object: 'chat.completion', choices, usage });
    } catch (error) {
      // Who goes away within its question leaves half of it.
      if (!answer.destroyed) throw error;
      return undefined;
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    dropped: () => dropped,
    stop: () => (server.closeAllConnections(), server.close()),
  };
}
