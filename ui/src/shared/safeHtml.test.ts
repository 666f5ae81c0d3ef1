import { describe, expect, it } from 'vitest';
import { htmlOf } from './safeHtml';

const html = (text: string) => htmlOf(text, (name) => `[이미지: ${name}]`).trim();

describe('a model’s text', () => {
  it('keeps its formatting', () => {
    expect(html('**굵게** `code`\n\n- 하나\n- 둘')).toBe(
      '<p><strong>굵게</strong> <code>code</code></p>\n<ul>\n<li>하나</li>\n<li>둘</li>\n</ul>',
    );
    expect(html('| a | b |\n|---|---|\n| 1 | 2 |')).toContain('<td>1</td>');
    expect(html('- [x] done')).toContain('☑ done');
  });

  it('loads nothing: images become links', () => {
    expect(html('![지도](https://evil.example/p.png)')).toBe(
      '<p><a href="https://evil.example/p.png">[이미지: 지도]</a></p>',
    );
    expect(html('<img src="https://evil.example/p.png" onerror="alert(1)">')).not.toContain('<img');
  });

  it.each([
    '<script>alert(1)</script>',
    '<iframe src="https://evil.example"></iframe>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '<a href="https://x" onclick="alert(1)">x</a>',
    '<style>*{display:none}</style>',
    '<form action="https://evil.example"><input name="a"></form>',
    '<svg onload="alert(1)"></svg>',
  ])('runs nothing and leads nowhere unseen: %s', (text) => {
    const document = new DOMParser().parseFromString(html(text), 'text/html');
    const elements = [...document.body.querySelectorAll('*')];
    expect(elements.map((element) => element.localName).filter((name) => !['p', 'a'].includes(name))).toEqual([]);
    for (const element of elements) {
      expect(element.getAttributeNames().filter((name) => name !== 'href')).toEqual([]);
      expect(element.getAttribute('href') ?? 'https:').toMatch(/^https?:/);
    }
  });
});
