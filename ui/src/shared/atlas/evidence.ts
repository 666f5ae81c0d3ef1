// What shows a cause, as one line: which call, which argument, what was there and what should have been, in which words.
import type { AtlasFinding } from '../../ipc/gen';
import type { Language, Messages } from '../../locales';
import { count } from '../format';

const LONG = 120;

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONG ? `${line.slice(0, LONG - 1)}…` : line;
}

export function evidence(finding: AtlasFinding, t: Messages['atlas'], language: Language): string {
  const number = (value: number) => count(value, language);
  const parts = [
    finding.call === null ? null : t.call(number(finding.call + 1)),
    finding.call === null && finding.step !== null ? t.step(number(finding.step)) : null,
    finding.tool,
    finding.argument,
    finding.found === null ? null : t.found(short(finding.found)),
    finding.expected === null ? null : t.expected(short(finding.expected)),
    finding.quote === null || finding.quote === finding.found ? null : `“${short(finding.quote)}”`,
  ];
  return parts.filter((part) => part !== null && part !== '').join(' · ');
}
