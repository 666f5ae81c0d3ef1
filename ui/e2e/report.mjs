// Checks with a name and a count at the end, in the form that `cargo xtask test` reads.

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

/** As much of a value as a line holds. */
const LONGEST = 1_500;
const told = (text) => (text?.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

export function equal(found, wanted, what = '') {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what && `${what}: `}found ${told(a)}, wanted ${told(b)}`);
}

export function holds(condition, what) {
  if (!condition) throw new Error(what);
}

/** Prints the count and ends the program. */
export function end() {
  console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
  process.exit(failed > 0 ? 1 : 0);
}
