// An imitation of a Hugging Face hub with one repository, whose weights stop in the middle until they are let go.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const WEIGHTS = Buffer.alloc(400_000, 'weights');
const FILES = {
  'README.md': Buffer.from('---\nlicense: apache-2.0\n---\n'),
  'tiny-Q4_0.gguf': WEIGHTS,
  'tiny-Q8_0.gguf': Buffer.alloc(900_000, 'other'),
};

const hash = (kind, ...parts) => parts.reduce((sum, part) => sum.update(part), createHash(kind)).digest('hex');
const siblings = Object.entries(FILES).map(([rfilename, bytes]) => ({
  rfilename,
  size: bytes.length,
  blobId: hash('sha1', `blob ${bytes.length}\0`, bytes),
  ...(rfilename.endsWith('.gguf') ? { lfs: { sha256: hash('sha256', bytes), size: bytes.length } } : {}),
}));

/** Its one repository. */
export const REPO = 'tiny/gguf';

export async function hub() {
  const ranges = [];
  let free = false;
  const server = createServer((request, answer) => {
    const path = new URL(request.url, 'http://hub').pathname;
    if (path.startsWith(`/api/models/${REPO}/`)) {
      answer.setHeader('content-type', 'application/json');
      const card = { license: 'apache-2.0' };
      return answer.end(JSON.stringify({ id: REPO, sha: COMMIT, siblings, cardData: card, gated: false }));
    }
    const bytes = FILES[path.split(`/${COMMIT}/`)[1]];
    if (!bytes) {
      answer.writeHead(404, { 'x-error-code': 'RepoNotFound' });
      return answer.end();
    }
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (request.headers.range) ranges.push(from);
    const rest = bytes.subarray(from);
    answer.writeHead(from > 0 ? 206 : 200, {
      'content-length': rest.length,
      ...(from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
    });
    if (free || bytes !== WEIGHTS) return answer.end(rest);
    return answer.write(rest.subarray(0, rest.length / 2));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    /** First bytes of the parts that were asked for. */
    ranges,
    letGo: () => (free = true),
    stop: () => (server.closeAllConnections(), server.close()),
  };
}
