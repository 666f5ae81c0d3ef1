import { expect, it, test, vi } from 'vitest';
import { batches, upload, type Brought } from './browserFiles';
import { Uploads } from './uploads.svelte';

const files = (count: number): Brought[] =>
  Array.from({ length: count }, (_, index) => ({ path: `folder/${index}`, file: new File(['1234'], `${index}`) }));

/** A response does not read the blobs of jsdom. */
const textOf = (blob: Blob): Promise<string> =>
  new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(blob);
  });

/** A server that answers when it is told to. */
class Server {
  waiting: { paths: string[]; answer: () => void; refuse: (error: unknown) => void }[] = [];
  most = 0;
  contents: string[] = [];

  send = async (path: string, body: BodyInit, left?: AbortSignal): Promise<Response> => {
    expect(path).toBe('/api/upload');
    const text = await textOf(body as Blob);
    const [list = '', content = ''] = [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n') + 1)];
    const paths = (JSON.parse(list) as { path: string }[]).map((one) => one.path);
    this.contents.push(content);
    return new Promise((resolve, reject) => {
      const answer = () => resolve(new Response(JSON.stringify({ paths: paths.map(() => '/kept/folder') })));
      left?.addEventListener('abort', () => reject({ code: 'cancelled', message: '' }));
      this.waiting.push({ paths, answer, refuse: reject });
      this.most = Math.max(this.most, this.waiting.length);
    });
  };

  /** Waits until so many requests are there. */
  has = (count: number) => vi.waitFor(() => expect(this.waiting).toHaveLength(count));

  async answerNext(): Promise<void> {
    this.waiting.shift()?.answer();
    await new Promise((done) => setTimeout(done));
  }
}

it('files are sent a hundred in a request, four requests at a time, each file once, and counted', async () => {
  const [server, uploads] = [new Server(), new Uploads()];
  const sent = upload(server, files(950), uploads);
  await server.has(4);
  expect(server.waiting.map(({ paths }) => [paths[0], paths.length])).toEqual(
    [0, 100, 200, 300].map((first) => [`folder/${first}`, 100]),
  );
  expect(server.contents[0]).toBe('1234'.repeat(100));
  await server.answerNext();
  expect(uploads.now).toMatchObject({ files: 100, allFiles: 950, bytes: 400, allBytes: 3_800 });
  while (server.waiting.length > 0) await server.answerNext();
  expect([await sent, server.most, uploads.now]).toEqual([['/kept/folder'], 4, null]);
  expect(server.contents.join('')).toBe('1234'.repeat(950));
});

it.each([
  ['small ones together', [1, 1, 1], [[0, 3]]],
  [
    'a large one alone',
    [1, 5 << 20, 1, 1],
    [
      [0, 1],
      [1, 2],
      [2, 4],
    ],
  ],
  [
    'as many bytes as a request takes',
    [3 << 20, 1 << 20, 1],
    [
      [0, 2],
      [2, 3],
    ],
  ],
  ['none', [], []],
])('%s', (_, sizes, ranges) => {
  const found = batches(sizes.map((size) => ({ file: { size } as File })));
  expect(found.map(({ begin, end }) => [begin, end])).toEqual(ranges);
});

it('one that is stopped sends no more and brings nothing', async () => {
  const [server, uploads] = [new Server(), new Uploads()];
  const sent = upload(server, files(950), uploads);
  await server.has(4);
  await server.answerNext();
  await server.has(4);
  uploads.cancel();
  expect([await sent, uploads.now]).toEqual([[], null]);
  expect(server.contents).toHaveLength(5);
});

it('a file that is refused ends all of it with the reason', async () => {
  const [server, uploads] = [new Server(), new Uploads()];
  const sent = upload(server, files(950), uploads);
  await server.has(4);
  server.waiting[2]?.refuse({ code: 'storage', message: 'disk full' });
  await expect(sent).rejects.toMatchObject({ code: 'storage' });
  expect(uploads.now).toBeNull();
});

test('nothing that was chosen is nothing to send', async () => {
  expect(await upload(new Server(), [])).toEqual([]);
});
