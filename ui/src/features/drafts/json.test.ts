import { expect, it } from 'vitest';
import { at, meant, Num, parametersIn, parse, placeOf, put, write } from './json';

it('numbers stay as they were written, and fields in their order', () => {
  const text =
    '{\n  "b": 127.0,\n  "10": 1e-05,\n  "a": [\n    12345678901234567890,\n    -0,\n    "가\\n"\n  ],\n  "c": {}\n}';
  const value = parse(text);
  expect(value === undefined ? '' : write(value)).toBe(text);
  expect(write(put(value, ['a', 1], new Num('7')), false)).toBe(
    '{"b": 127.0, "10": 1e-05, "a": [12345678901234567890, 7, "가\\n"], "c": {}}',
  );
});

it('what is not JSON is not read', () => {
  for (const text of ['', '{', '{"a":}', '[1,]', '01', '{"a" 1}', "{'a': 1}", '1 2', 'nul', '"\n"', '{"a": 1,}']) {
    expect(parse(text), text).toBeUndefined();
  }
});

it('values are put in and taken out by their path', () => {
  const value = parse('{"a": [{"x": 1}, {"x": 2}]}');
  expect(write(put(value, ['a', 0], undefined), false)).toBe('{"a": [{"x": 2}]}');
  expect(write(put(value, ['b', 0, 'c'], 'neu'), false)).toBe('{"a": [{"x": 1}, {"x": 2}], "b": [{"c": "neu"}]}');
  expect(write(value ?? null, false)).toBe('{"a": [{"x": 1}, {"x": 2}]}');
  expect(at(value, ['a', 1, 'x'])).toEqual(new Num('2'));
  expect(placeOf(['golden_action', 1, 'args', 'size'])).toBe('golden_action[1].args.size');
});

it('what is typed means what the type says', () => {
  expect(meant('127', 'string')).toBe('127');
  expect(meant('127.0', 'number')).toEqual(new Num('127.0'));
  expect(meant('{x}', 'number')).toBe('{x}');
  const schema = parse('{"properties": {"q": {"type": "string"}, "n": {}}, "required": ["q"]}');
  expect(parametersIn(schema)).toEqual([
    { name: 'q', type: 'string', required: true, description: '' },
    { name: 'n', type: null, required: false, description: '' },
  ]);
});
