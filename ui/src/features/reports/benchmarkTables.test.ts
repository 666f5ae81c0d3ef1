import { flushSync, mount, unmount } from 'svelte';
import { expect, it } from 'vitest';
import { locale } from '../../shared/locale.svelte';
import BenchmarkTables from './BenchmarkTables.svelte';

it('shows the tables of another benchmark as its authors print them, with what is ours marked', () => {
  const cell = { value: 0.5, text: '50.00%', ours: false };
  const mounted = mount(BenchmarkTables, {
    target: document.body,
    props: {
      found: {
        benchmark: 'proverbs',
        title: 'Three Proverbs',
        tables: [
          {
            name: 'Rates',
            cells: [
              { name: 'rare', ...cell },
              { name: 'macro', ...cell, text: '49.99%', ours: true },
              { name: 'common', ...cell, value: null, text: 'N/A' },
            ],
            printed: 'rare : 50.00%',
          },
        ],
      },
    },
  });
  flushSync();
  const rows = [...document.querySelectorAll('[data-table="Rates"] tbody tr')].map((row) =>
    row.textContent.replaceAll(/\s+/gu, ' ').trim(),
  );
  const ours = locale.t.reports.tables.ours;
  expect(rows.map((row) => row.includes(ours))).toEqual([false, true, false]);
  expect(['50.00%', '49.99%', 'N/A'].map((text, place) => rows[place]?.includes(text))).toEqual([true, true, true]);
  expect(document.querySelector('h3')?.textContent).toBe('Three Proverbs');
  expect(document.querySelector('pre')?.textContent).toBe('rare : 50.00%');
  void unmount(mounted);
});
