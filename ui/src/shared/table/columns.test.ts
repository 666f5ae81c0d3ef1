import { expect, it } from 'vitest';
import { type Column, widthOf } from './columns';

const names = ['azure/gpt-5', 'bedrock/global.anthropic.claude-haiku-4-5-20251001-v1:0'];
const column: Column<string> = { id: 'model', header: 'Model', value: (name) => name, width: 128 };

it.each([
  ['the column that names the row is as wide as its names', { fixed: true }, 1440, names, 380],
  ['up to a share of the window', { fixed: true }, 640, names, 224],
  ['and never less than it asks for', { fixed: true }, 1440, ['a'], 128],
  ['Korean letters take more room', { fixed: true }, 1440, ['가나다라마바사아자차카타파하'], 200],
  ['any other column is as wide as it says', {}, 1440, names, 128],
])('%s', (_, more, window, rows, width) => {
  expect(widthOf({ ...column, ...more }, rows, window)).toBe(width);
});
