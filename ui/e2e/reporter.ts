// Prints what `cargo xtask test` reads: a line for each check, the seconds of each story, and the
// count at the end.
import type { FullConfig, Reporter, TestCase, TestError, TestResult, TestStep } from '@playwright/test/reporter';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGAIN } from './again.mjs';
import { CHECKS_FAILED, LEFT_OUT } from './words.ts';

/** Number of lines of a failure that are printed. */
const LINES = 14;
const COLOUR = /\u001b\[[\d;]*m/g;

const said = (error: TestError | undefined) =>
  (error?.message ?? error?.value ?? 'it did not say why')
    .replace(COLOUR, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, LINES)
    .join('\n      ');

export default class Checks implements Reporter {
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  /** What passed at a second try only. */
  #again: string[] = [];
  #lines = new Map<TestResult, string[]>();
  #kept = '';

  onBegin({ metadata }: FullConfig) {
    this.#kept = metadata['kept'];
  }

  printsToStdio() {
    return true;
  }

  onTestBegin(test: TestCase, result: TestResult) {
    this.#lines.set(result, []);
    console.log(`-- ${test.title} begins`);
  }

  onStepEnd(_test: TestCase, result: TestResult, { category, title, error, parent }: TestStep) {
    if (category !== 'test.step' || parent?.category === 'test.step') return;
    if (error) this.#fail(result, `${title}: ${said(error)}`);
    else {
      this.#passed += 1;
      this.#say(result, `ok   ${title}`);
    }
  }

  onStdOut(chunk: string | Buffer, test?: TestCase, result?: TestResult) {
    for (const line of String(chunk).split('\n').filter(Boolean)) {
      if (line.startsWith(AGAIN)) this.#again.push(`${test?.title}: ${line.slice(AGAIN.length).trim()}`);
      this.#say(result, line);
    }
  }

  onStdErr(chunk: string | Buffer, _test?: TestCase, result?: TestResult) {
    for (const line of String(chunk).split('\n').filter(Boolean)) this.#say(result, line);
  }

  onTestEnd(test: TestCase, result: TestResult) {
    for (const { type, description } of result.annotations) {
      if (type !== LEFT_OUT) continue;
      this.#skipped += 1;
      this.#say(result, `SKIP: ${description}`);
    }
    // A failure outside a check, such as a server that does not start, ends this story only.
    for (const error of result.errors) {
      if (!error.message?.includes(CHECKS_FAILED)) this.#fail(result, `${test.title}, outside a check: ${said(error)}`);
    }
    if (result.status !== 'passed' && result.errors.length === 0)
      this.#fail(result, `${test.title}: it is ${result.status}`);
    console.log(`-- ${test.title}`);
    for (const line of this.#lines.get(result) ?? []) console.log(line);
    console.log(`story ${test.title} ${(result.duration / 1000).toFixed(1)}`);
    this.#lines.delete(result);
  }

  onError(error: TestError) {
    this.#fail(undefined, `outside a story: ${said(error)}`);
  }

  onEnd() {
    for (const what of this.#again) console.log(`SECOND TRY: ${what}`);
    if (this.#failed > 0) console.log(`pictures, pages and traces of what failed: ${this.#kept}`);
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : '';
    console.log(`${this.#passed} passed, ${this.#failed} failed${skipped}`);
  }

  #fail(result: TestResult | undefined, what: string) {
    this.#failed += 1;
    this.#say(result, `FAIL: ${what}`);
  }

  /** Prints a line when its story ends. The log has it at once, so that progress can be followed. */
  #say(result: TestResult | undefined, line: string) {
    appendFileSync(join(this.#kept, 'log.txt'), `${new Date().toISOString()} ${line}\n`);
    const lines = result && this.#lines.get(result);
    if (lines) lines.push(line);
    else console.log(line);
  }
}
