// Text that a model wrote as HTML that may be shown: formatting and nothing else.
//
// Models write what the web told them. Nothing of it may load, run, or lead anywhere without the reader's click:
// only the tags below stay, images become links, and links keep their address for the host to open outside.
//
// Nothing of the text is lost or changed by it, but for the marks that formatting is written with. Where Markdown's
// rules would change what Korean, a date, a sum or a number says, they give way: `writtenAsMeant`.
import DOMPurify from 'dompurify';
import { Marked, Tokenizer, type MarkedExtension, type RendererObject, type Tokens } from 'marked';

const TAGS = [
  'a',
  'b',
  'blockquote',
  'br',
  'code',
  'del',
  'em',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'i',
  'li',
  'ol',
  'p',
  'pre',
  's',
  'strong',
  'sub',
  'sup',
  'table',
  'tbody',
  'td',
  'th',
  'thead',
  'tr',
  'ul',
];

/** What the host opens outside. */
const ADDRESS = /^(?:https?|mailto):/i;

const purify = DOMPurify(window);

/** What addresses in a text of the program itself are on this page; nothing for those that are not its own. */
export interface Addresses {
  link: (href: string) => string | null;
  picture: (href: string) => string | null;
}

/** As `ADDRESS`, and what lies on this page or beside it. */
const OWN_ADDRESS = /^(?:https?:|mailto:|#\/|\/(?!\/))/i;

/** `imageName` words an image by its alternative text; `own` is there for texts that come with the program. */
export function htmlOf(text: string, imageName: (alternative: string) => string, own?: Addresses): string {
  const marked = new Marked({ gfm: true, breaks: true, renderer: renderer(imageName, own) }, writtenAsMeant);
  return purify.sanitize(marked.parse(text, { async: false }), {
    ALLOWED_TAGS: own ? [...TAGS, 'img'] : TAGS,
    ALLOWED_ATTR: ['href', 'title', 'align', 'value', 'data-mark', ...(own ? ['src', 'alt'] : [])],
    // What is not an address is not measured by the rule for addresses.
    ADD_URI_SAFE_ATTR: ['align', 'value', 'data-mark', 'alt'],
    ALLOWED_URI_REGEXP: own ? OWN_ADDRESS : ADDRESS,
  });
}

const renderer = (imageName: (alternative: string) => string, own?: Addresses): RendererObject => ({
  image({ text, href, raw }: Tokens.Image) {
    const picture = own?.picture(href);
    if (picture) return `<img src="${escaped(picture)}" alt="${escaped(text)}">`;
    return ADDRESS.test(href) ? `<a href="${escaped(href)}">${escaped(imageName(text))}</a>` : escaped(raw);
  },
  // An address that nothing opens stays readable.
  link({ href, raw, tokens }: Tokens.Link) {
    const place = own?.link(href);
    if (place) return `<a href="${escaped(place)}">${this.parser.parseInline(tokens)}</a>`;
    return ADDRESS.test(href) ? false : escaped(raw);
  },
  // Raw HTML is shown as it was written.
  html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escaped(text)),
  checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
  // Each item has the number that was written, also where another item does not follow from it.
  listitem({ raw, tokens }: Tokens.ListItem) {
    const [, number, mark] = /^\s*(\d+)([.)])/.exec(raw) ?? [];
    const written = number === undefined ? '' : ` value="${Number(number)}"${mark === ')' ? ' data-mark=")"' : ''}`;
    return `<li${written}>${this.parser.parse(tokens)}</li>\n`;
  },
});

/** Markdown's rules where they would change what was meant; `undefined` takes what follows as text. */
const writtenAsMeant: MarkedExtension = {
  tokenizer: {
    // `6~8km`, `좋아요~~`: strikes are two tildes that no word stands before.
    del: (source, _masked, before) =>
      source.startsWith('~~') && !/[\p{L}\p{N}]$/u.test(before ?? '') ? false : undefined,
    // `2025. 12. 20.` is a date and no three lists.
    list: (source) => (/^ {0,3}\d{1,9}\. ?\d{1,2}\.(?!\d)/.test(source) ? undefined : false),
    // Markdown drops the cells of a row that has more than the head.
    table(source) {
      const table = Tokenizer.prototype.table.call(this, source);
      return table?.raw.split('\n').every((row) => cells(row) <= table.header.length) ? table : undefined;
    },
    // `[참고]: 서울시` would vanish as the address of a link.
    def: () => undefined,
    // `https://example.com에서`: the address ends where a word goes on in Korean.
    url(source) {
      const end = source.search(WORD_GOES_ON);
      return Tokenizer.prototype.url.call(this, end < 0 ? source : source.slice(0, end));
    },
  },
  extensions: [
    {
      name: 'asterisks',
      level: 'inline',
      start: (source) => source.indexOf('*'),
      tokenizer(source, tokens) {
        // `5*3*2`, `2**10`: they multiply between a number or a bracket and another, or a Latin letter.
        const [sum] = /^\*+(?=[\p{N}A-Za-z(])/u.exec(source) ?? [];
        if (sum && /[\p{N})]$/u.test(tokens.at(-1)?.raw ?? '')) return { type: 'text', raw: sum, text: sum };
        // `**"제목"**입니다`: CommonMark closes nothing between a sign and a letter, and Korean has particles there.
        const [raw, text] = /^\*\*(?![\s*])((?:`[^`\n]*`|(?!\*\*)[^`\n])+)(?<!\s)\*\*(?!\*)/.exec(source) ?? [];
        if (raw === undefined || text === undefined) return undefined;
        return { type: 'strong', raw, text, tokens: this.lexer.inlineTokens(text) };
      },
    },
  ],
};

/** After an address: a particle, or any Korean after a bracket. An address may have Korean in it elsewhere. */
const WORD_GOES_ON =
  /(?<=[\w/])(?:에서|에|의|을|를|은|는|이|가|로|으로|와|과|도|만|부터|까지|에게|입니다|이며|이고|예요|이에요)(?![가-힣\w/%])|(?<=[)\]])[가-힣]/;

/** How many cells a line of a table has. */
const cells = (row: string) =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/).length;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
