// The command line as a package brings it, away from the checkout: it runs and scores, and its page is in it.
//
//   node e2e/shipped.mjs KOAB
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { check, end, equal, holds } from './report.mjs';
import { inHome, serve } from './served.mjs';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'koab-shipped-'));
// Below a checkout it would take the page that lies there.
const koab = join(folder, 'koab');
await copyFile(resolve(process.argv[2]), koab);
delete process.env.KOAB_UI;

try {
  await inHome(async (home) => {
    const env = { ...process.env, KOAB_HOME: home };
    await check('the shipped command line runs and scores the starter pack', async () => {
      const { stdout } = await run(koab, ['run', '--model', 'baseline/golden', '--evaluate', '--json', '--quiet'], {
        env,
        cwd: folder,
        maxBuffer: 1 << 26,
      });
      equal(JSON.parse(stdout).reports?.length ?? 1, 1);
    });
    await check('the shipped command line serves its page', async () => {
      const server = await serve(koab, home);
      try {
        const page = await fetch(`${server.origin}/`);
        equal(page.status, 200);
        const script = /src="\.?(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
        holds(script, 'the page names no script');
        equal((await fetch(`${server.origin}${script}`)).status, 200);
      } finally {
        equal(await server.stop(), 0);
      }
    });
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
end();
