// Tests change the language at once, and read what is said in it.
import { fetchLanguage } from './locales';

await fetchLanguage('ko');
