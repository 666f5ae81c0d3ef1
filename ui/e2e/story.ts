// A story is one test, and its checks are the steps. A check that fails is recorded with a
// screenshot, the page and a trace, and the story continues.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, expect, test } from '@playwright/test';
import { given } from './given.ts';
import { endAll } from './served.mjs';
import { CHECKS_FAILED, LEFT_OUT } from './words.ts';

export { expect, test };

/** What a story is told with. */
export interface Told {
  koab: string;
  browser: Browser;
  whole: boolean;
  shared?: string;
}

let failed: string[] = [];
let browserOf: Browser | undefined;

/** Tells a story; it is the only one of its name. */
export function story(name: string, tell: (told: Told) => Promise<void>) {
  test(name, async ({ browser }) => {
    failed = [];
    browserOf = browser;
    try {
      const { koab, whole, shared } = given;
      await tell({ koab, browser, whole, shared });
    } catch (error) {
      await pictured(`${name} outside a check`);
      throw error;
    } finally {
      for (const context of browser.contexts()) await context.close();
      await endAll();
    }
    if (failed.length > 0) throw new Error(`${CHECKS_FAILED} ${failed.join('; ')}`);
  });
}

/** The same of a story that needs the reference data. */
export function sharedStory(name: string, tell: (told: Told & { shared: string }) => Promise<void>) {
  story(name, async ({ shared, ...told }) => {
    if (shared) await tell({ shared, ...told });
    else skip(`${name}: the reference data is not there (../shared)`);
  });
}

/** A check of the story that is being told. A failure does not end the story. */
export async function check(what: string, verify: () => unknown): Promise<void> {
  try {
    await test.step(what, async () => void (await verify()));
  } catch (error) {
    if (test.info().status === 'timedOut') throw error;
    failed.push(what);
    await pictured(what);
  }
}

/** Says that a part of the story is left out here. */
export function skip(what: string) {
  test.info().annotations.push({ type: LEFT_OUT, description: what });
}

/** Keeps a picture and the text of every page that is open. */
async function pictured(what: string) {
  const { title, repeatEachIndex } = test.info();
  const folder = join(given.kept, repeatEachIndex > 0 ? `${title}-${repeatEachIndex + 1}` : title);
  await mkdir(folder, { recursive: true });
  const name = what.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 80);
  const pages = browserOf?.contexts().flatMap((context) => context.pages()) ?? [];
  for (const [at, page] of pages.entries()) {
    const path = join(folder, `${name}${at > 0 ? `-${at + 1}` : ''}`);
    // A page that is gone has no picture, and its check has failed already.
    await page.screenshot({ path: `${path}.png`, timeout: 5_000 }).catch(() => undefined);
    await page.content().then(
      (text) => writeFile(`${path}.html`, `<!-- ${page.url()} -->\n${text}`),
      () => undefined,
    );
  }
}
