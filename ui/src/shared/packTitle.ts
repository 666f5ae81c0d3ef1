import type { PackSummary } from '../ipc/gen';
import { locale } from './locale.svelte';

/** The title in the starter pack's file, which has both languages in one text. */
const STARTER = '시작 팩: 지어낸 예시 데이터 (starter pack of invented sample data)';

/** A pack's title, in the language shown where it is known in both; its name where it has no title. */
export const packTitle = ({ name, title }: Pick<PackSummary, 'name' | 'title'>): string =>
  title === STARTER ? locale.t.terms.starterTitle : title || name;
