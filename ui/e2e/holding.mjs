// A proxy in front of a model server that cannot wait: it holds requests and forwards them.
import { createServer } from 'node:http';
import { gate } from './gate.mjs';

/** Forwards requests that pass its gate to the origin of `baseUrl`. */
export async function holding(baseUrl) {
  const { origin, pathname } = new URL(baseUrl);
  const questions = gate();
  const server = createServer(async (request, answer) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    await questions.pass(() => !answer.destroyed);
    if (answer.destroyed) return;
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const body = parts.length > 0 ? Buffer.concat(parts) : undefined;
    const said = await fetch(`${origin}${request.url}`, { method: request.method, headers, body });
    const text = Buffer.from(await said.arrayBuffer());
    if (answer.destroyed) return;
    answer.writeHead(said.status, {
      'content-type': said.headers.get('content-type') ?? 'application/json',
      'content-length': text.length,
    });
    answer.end(text);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}${pathname}`,
    gate: questions,
    stop: () => (server.closeAllConnections(), server.close()),
  };
}
