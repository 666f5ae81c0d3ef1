import { expect, it } from 'vitest';
import { at, parsePlace } from './route.svelte';

it('a place survives its address, whatever its ids hold', () => {
  const id = 'azure_gpt-4o/20251219 한글?#%';
  const place = parsePlace(at('reports', id, 'tasks', { sort: 'a,b', empty: '' }));
  expect(place).toEqual({ screen: 'reports', rest: [id, 'tasks'], query: { sort: 'a,b', empty: '' } });
});

it.each(['', '#', '#/', '/'])('nothing in the address is no screen: %j', (hash) => {
  expect(parsePlace(hash)).toEqual({ screen: '', rest: [], query: {} });
});

it('a broken escape stays as it is', () => {
  expect(parsePlace('#/tasks/%E0%A4%A').rest).toEqual(['%E0%A4%A']);
});
