// A log as lines of coloured text: data for text nodes, never HTML. Colours are the theme's, which can be read on its
// background; of other colours than the sixteen named ones, and of backgrounds, nothing is kept.
import Anser from 'anser';

export interface Span {
  text: string;
  /** Names of classes: colour and weight. */
  look: string;
}

const NAMED = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const KEPT = ['bold', 'dim', 'italic', 'underline', 'strikethrough'];

// Everything a terminal obeys but colours: titles and links (OSC and its kin), movements, charsets, lone controls.
const ORDERS =
  /\x1b[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b\[[0-?]*[ -/]*[@-ln-~]|\x1b[ -/]+[0-~]|\x1b[0-Z\\^-~]|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f\x80-\x9f]/g;

/** What a progress bar left on its line: the last thing written over the others. */
function overwritten(line: string): string {
  if (!line.includes('\r')) return line;
  const written = line.split('\r').filter((part) => part !== '');
  return written.at(-1) ?? '';
}

/** A log's lines with their colours, which run on from line to line. */
export function coloured(text: string): Span[][] {
  const plain = text.replace(ORDERS, '').split('\n').map(overwritten).join('\n');
  const lines: Span[][] = [[]];
  for (const piece of Anser.ansiToJson(plain, { use_classes: true, remove_empty: true, json: true })) {
    const colour = /^ansi-(?:bright-)?([a-z]+)$/.exec(piece.fg ?? '')?.[1];
    const look = [
      ...(colour && NAMED.includes(colour) ? [`c-${colour}`] : []),
      ...(piece.decorations ?? []).filter((one) => KEPT.includes(one)).map((one) => `d-${one}`),
    ].join(' ');
    piece.content.split('\n').forEach((part, at) => {
      if (at > 0) lines.push([]);
      // What anser did not take for a colour must not stay either.
      const shown = part.replaceAll('\x1b', '');
      if (shown !== '') lines.at(-1)?.push({ text: shown, look });
    });
  }
  return lines;
}

/** A name from a trial's folder, with what would change how it reads spelled out. */
export function visible(name: string): string {
  return name.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
