import { expect, it } from 'vitest';
import { forDraws } from './chanceForTests';
import { at, parsePlace, route, type Query } from './route.svelte';

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

const SIGNS = [...'ab1/?#%&=+,;~ .\'\\"한글ㄱ́𝄞', '%2F', '..', '\u0000'];

it('every place survives its address, whatever signs it is made of', () =>
  forDraws(300, (chance) => {
    const word = (least: number) => Array.from({ length: least + chance.below(5) }, () => chance.one(SIGNS)).join('');
    const words = (count: number) => Array.from({ length: count }, () => word(1));
    const query: Query = Object.fromEntries(words(chance.below(4)).map((key) => [key, word(0)]));
    const place = { screen: word(1), rest: words(chance.below(4)), query };
    expect(parsePlace(at(place.screen, ...place.rest, query))).toEqual(place);
  }));

it('changes of different values lead to one place, in whatever order they are made', () =>
  forDraws(100, (chance) => {
    const changes = ['q', 'tag', 'sort', 'from'].map((key): Query => ({ [key]: chance.one(['', 'a,b', '한글']) }));
    const after = (all: Query[]) => {
      route.go('#/reports/r?q=old&tab=tasks', { replace: true });
      for (const change of all) route.put(change);
      expect(parsePlace(location.hash)).toEqual(route.place);
      return route.place;
    };
    const wanted = Object.entries(Object.assign({ tab: 'tasks' }, ...changes)).filter(([, value]) => value !== '');
    expect(after(chance.interleaved(changes.map((change) => [change])))).toEqual({
      screen: 'reports',
      rest: ['r'],
      query: Object.fromEntries(wanted),
    });
  }));
