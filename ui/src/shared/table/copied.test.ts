import { describe, expect, it } from 'vitest';
import { copied, type Texts, textsOf } from './copied';

const TEXTS: Texts = {
  head: ['Model', 'SR'],
  numeric: [false, true],
  rows: [
    ['azure/gpt_5 | 50 %', '0.6641'],
    ['a\\b\n<i>{~^}&#$', '−0.0716'],
  ],
};

describe('a table as text', () => {
  it('is a line a row with tabs', () => {
    expect(copied('tsv', TEXTS)).toBe('Model\tSR\nazure/gpt_5 | 50 %\t0.6641\na\\b <i>{~^}&#$\t−0.0716\n');
  });

  it('is Markdown in which nothing of a cell is markup', () => {
    expect(copied('markdown', TEXTS)).toBe(
      '| Model | SR |\n| --- | ---: |\n| azure/gpt\\_5 \\| 50 % | 0.6641 |\n| a\\\\b \\<i\\>{~^}&#$ | −0.0716 |\n',
    );
  });

  it('is LaTeX in which nothing of a cell is a command', () => {
    expect(copied('latex', TEXTS).split('\n')).toEqual([
      '\\begin{tabular}{lr}',
      '\\toprule',
      'Model & SR \\\\',
      '\\midrule',
      'azure/gpt\\_5 | 50 \\% & 0.6641 \\\\',
      'a\\textbackslash{}b <i>\\{\\textasciitilde{}\\textasciicircum{}\\}\\&\\#\\$ & $-$0.0716 \\\\',
      '\\bottomrule',
      '\\end{tabular}',
      '',
    ]);
  });
});

it('a table of the page has the texts that are read, in even rows', () => {
  document.body.innerHTML = `<table>
    <thead><tr><th>Level</th><th class="number">SR <span class="visually-hidden">success rate</span></th></tr></thead>
    <tbody>
      <tr><th>L1</th><td class="number">0.5 <button class="quiet">?</button></td></tr>
      <tr><td colspan="2">not
        judged</td></tr>
    </tbody></table>`;
  const texts = textsOf(document.querySelector('table')!);
  expect(texts).toEqual({
    head: ['Level', 'SR'],
    numeric: [false, true],
    rows: [
      ['L1', '0.5'],
      ['not judged', ''],
    ],
  });
  document.body.innerHTML = '';
});
