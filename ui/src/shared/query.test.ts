import { expect, it } from 'vitest';
import type { ToolView } from '../ipc/gen';
import { forDraws } from './chanceForTests';
import QueryForTests from './QueryForTests.svelte';
import { find, openScreen, screensForTests, settle } from './screenForTests';

screensForTests();

const shown = () => find('output')?.textContent;
const press = async (id: string) => {
  find(id)?.click();
  await settle();
};

/** Answers each question with as many tools as were asked for so far, after 20 ms. */
async function open(props: { pack: string | null; keep?: boolean; writer?: string }, failing = () => false) {
  const asked: string[] = [];
  await openScreen(QueryForTests, {
    props: { keep: false, writer: 'pack_use', ...props },
    answers: {
      pack_tools: ({ pack }) => {
        asked.push(pack ?? '');
        if (failing()) throw { code: 'busy', message: 'wait' };
        return asked.map((name) => ({ name }) as unknown as ToolView);
      },
    },
  });
  return asked;
}

it('a question is asked once, again on demand, and for each of its arguments', async () => {
  const asked = await open({ pack: 'one' });
  expect(shown()).toBe('1 - false');
  await press('#again');
  expect(shown()).toBe('2 - false');
  await press('#other');
  expect(shown()).toBe('3 - false');
  expect(asked).toEqual(['one', 'one', 'other']);
});

it('nothing is asked without arguments', async () => {
  const asked = await open({ pack: null });
  expect(shown()).toBe('- - false');
  expect(asked).toEqual([]);
});

it('an answer is asked for again when what it is about changes, and not otherwise', async () => {
  const asked = await open({ pack: 'one', writer: 'pack_use' });
  await press('#changed');
  expect(asked).toEqual(['one', 'one']);
  const other = await open({ pack: 'one', writer: 'key_set' });
  await press('#changed');
  expect(other).toEqual(['one']);
});

it('a first answer from before a change is asked for again', async () => {
  const open: ((tools: ToolView[]) => void)[] = [];
  await openScreen(QueryForTests, {
    props: { keep: false, writer: 'pack_use', pack: 'one' },
    answers: { pack_tools: () => new Promise((done) => open.push(done)) as unknown as ToolView[] },
  });
  await press('#changed');
  const tools = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `${index}` }) as ToolView);
  open[0]?.(tools(1));
  await settle();
  expect([shown(), open.length]).toEqual(['1 - true', 2]);
  open[1]?.(tools(2));
  await settle();
  expect(shown()).toBe('2 - false');
});

it('an error keeps what was there, and the next answer takes it away', async () => {
  let failing = false;
  await open({ pack: 'one' }, () => failing);
  failing = true;
  await press('#again');
  expect(shown()).toBe('1 busy false');
  failing = false;
  await press('#again');
  expect(shown()).toBe('3 - false');
});

it('who leaves before the answer is there lets go of it, and is answered when it comes back', async () => {
  const left: (AbortSignal | undefined)[] = [];
  await openScreen(QueryForTests, {
    props: { keep: false, writer: 'pack_use', pack: 'one' },
    heard: (command, signal) => command === 'pack_tools' && left.push(signal),
    answers: { pack_tools: () => (left.length === 1 ? new Promise(() => {}) : []) as ToolView[] },
  });
  expect(shown()).toBe('- - true');
  await press('#other');
  expect(left.map((signal) => signal?.aborted)).toEqual([true, false]);
  await press('#other');
  expect(shown()).toBe('0 - false');
  expect(left.map((signal) => signal?.aborted)).toEqual([true, false, false]);
});

it('the answer to what is asked now is shown, in whatever order answers come', () =>
  forDraws(20, async (chance) => {
    const open: { name: string; answer: () => void }[] = [];
    const length = { one: 1, other: 2 };
    await openScreen(QueryForTests, {
      props: { keep: false, writer: 'pack_use', pack: 'one' },
      answers: {
        pack_tools: ({ pack }) => {
          const name = pack as keyof typeof length;
          const tools = Array.from({ length: length[name] }, (_, index) => ({ name: `${index}` }));
          return new Promise((done) => open.push({ name, answer: () => done(tools) })) as unknown as ToolView[];
        },
      },
    });
    let now: keyof typeof length = 'one';
    for (let turn = 0; turn < 8; turn += 1) {
      if (chance.below(2) === 0) {
        now = now === 'one' ? 'other' : 'one';
        await press('#other');
      } else if (open.length > 0) {
        open.splice(chance.below(open.length), 1)[0]!.answer();
        await settle();
      }
      expect(['-', `${length[now]}`]).toContain(shown()?.split(' ')[0]);
    }
    for (const { answer } of chance.interleaved(open.map((one) => [one]))) answer();
    await settle();
    expect(shown()).toBe(`${length[now]} - false`);
  }));
