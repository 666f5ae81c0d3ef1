import { expect, it, test } from 'vitest';
import { upload, type Brought } from './browserFiles';
import { Uploads } from './uploads.svelte';

const files = (...names: string[]): Brought[] =>
  names.map((name) => ({ path: `folder/${name}`, file: new File(['1234'], name) }));
const NAMES = Array.from({ length: 10 }, (_, index) => `${index}.json`);

/** A server that answers when it is told to. */
class Server {
  waiting: { path: string; answer: () => void; refuse: (error: unknown) => void }[] = [];
  most = 0;

  send = (path: string, _: BodyInit, left?: AbortSignal): Promise<Response> =>
    new Promise((resolve, reject) => {
      const one = {
        path: new URLSearchParams(path.split('?')[1]).get('path') ?? '',
        answer: () => resolve(new Response(JSON.stringify({ path: '/kept/folder' }))),
        refuse: reject,
      };
      left?.addEventListener('abort', () => reject({ code: 'cancelled', message: '' }));
      this.waiting.push(one);
      this.most = Math.max(this.most, this.waiting.length);
    });

  async answerNext(): Promise<void> {
    this.waiting.shift()?.answer();
    await new Promise((done) => setTimeout(done));
  }
}

it('files are sent four at a time, each once, and counted', async () => {
  const [server, uploads] = [new Server(), new Uploads()];
  const sent = upload(server, files(...NAMES), uploads);
  expect(server.waiting.map(({ path }) => path)).toEqual(NAMES.slice(0, 4).map((name) => `folder/${name}`));
  await server.answerNext();
  expect(uploads.now).toMatchObject({ files: 1, allFiles: 10, bytes: 4, allBytes: 40 });
  while (server.waiting.length > 0) await server.answerNext();
  expect([await sent, server.most, uploads.now]).toEqual([['/kept/folder'], 4, null]);
});

it('one that is stopped sends no more and brings nothing', async () => {
  const [server, uploads] = [new Server(), new Uploads()];
  const sent = upload(server, files(...NAMES), uploads);
  await server.answerNext();
  const asked = server.waiting.length;
  uploads.cancel();
  expect([await sent, uploads.now]).toEqual([[], null]);
  expect(server.waiting.length).toBe(asked);
});

it('a file that is refused ends all of it with the reason', async () => {
  const [server, uploads] = [new Server(), new Uploads()];
  const sent = upload(server, files(...NAMES), uploads);
  server.waiting[2]?.refuse({ code: 'storage', message: 'disk full' });
  await expect(sent).rejects.toMatchObject({ code: 'storage' });
  expect(uploads.now).toBeNull();
});

test('nothing that was chosen is nothing to send', async () => {
  expect(await upload(new Server(), [])).toEqual([]);
});
