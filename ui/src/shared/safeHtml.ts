// Text that a model wrote as HTML that may be shown: formatting and nothing else.
//
// Models write what the web told them. Nothing of it may load, run, or lead anywhere without the reader's click:
// only the tags below stay, images become words, and links keep their address for the host to open outside.
import DOMPurify from 'dompurify';
import { Marked, type Tokens } from 'marked';

const TAGS = [
  'a', 'b', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'li', 'ol', 'p', 'pre',
  's', 'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul',
];

const purify = DOMPurify(window);

/** `imageName` words an image by its alternative text. */
export function htmlOf(text: string, imageName: (alternative: string) => string): string {
  const marked = new Marked({
    gfm: true,
    // A model's line breaks are meant.
    breaks: true,
    renderer: {
      image: ({ text }: Tokens.Image) => escaped(imageName(text)),
      // Raw HTML is shown as it was written.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escaped(text)),
      checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '☑ ' : '☐ '),
    },
  });
  const html = marked.parse(text, { async: false });
  return purify.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'title', 'start', 'align'],
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
