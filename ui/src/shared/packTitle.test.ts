import { expect, it } from 'vitest';
import starter from '../../../tasks/pack.json';
import { locale } from './locale.svelte';
import { packTitle } from './packTitle';

it.each([
  ['en', 'Starter pack: invented sample data'],
  ['ko', '시작 팩: 지어낸 예시 데이터'],
])('in %s the starter pack has a title of that language', async (language, title) => {
  await locale.complete();
  locale.choose(language);
  await expect.poll(() => packTitle(starter)).toBe(title);
  expect(packTitle({ name: 'mine', title: '' })).toBe('mine');
  expect(packTitle({ name: 'mine', title: 'My pack' })).toBe('My pack');
});
