// English is the master: its shape is the type that every other language has to satisfy.
import { en } from './en';
import { ko } from './ko';

export type Messages = typeof en;
export type Language = 'ko' | 'en';

export const LOCALES: Record<Language, Messages> = { en, ko };

/** Each language in its own words, so that a reader finds it whatever is shown now. */
export const LANGUAGE_NAMES: Record<Language, string> = { ko: '한국어', en: 'English' };
