// Named checks and a count at the end, in the form that `cargo xtask test` reads. Programs that are
// no stories (`story.ts`) use them, such as the test of the window.
export { equal, holds } from './equal.mjs';

let passed = 0;
let failed = 0;
let skipped = 0;

function fail(what, said) {
  failed += 1;
  console.log(`FAIL: ${what}: ${said.split('\n').slice(0, 12).join('\n      ')}`);
}

export async function check(what, test) {
  try {
    await test();
    passed += 1;
    console.log(`ok   ${what}`);
  } catch (error) {
    fail(what, String(error?.message ?? error));
  }
}

// What fails where no check waits for it would end the program, and take its count along.
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => {
    process.exitCode = 1;
    fail('outside a check', String(error?.stack ?? error));
  });

export function skip(what) {
  skipped += 1;
  console.log(`SKIP: ${what}`);
}

/** Prints the count and ends the program. */
export function end() {
  console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
  process.exit(failed > 0 ? 1 : 0);
}
