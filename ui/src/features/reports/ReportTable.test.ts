import { flushSync, mount, unmount } from 'svelte';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LevelReport } from '../../ipc/gen';
import { NO_USAGE } from '../../platform/fakeData';
import { locale } from '../../shared/locale.svelte';
import LevelMatrix from './LevelMatrix.svelte';
import ReportTable from './ReportTable.svelte';
import { ownMetrics, sharedMetrics } from './rows';

const LEVELS: LevelReport[] = [
  {
    level: 'L1',
    tasks: 3,
    evaluated: 3,
    score: null,
    reason: null,
    usage: NO_USAGE,
    metrics: [
      {
        metric: 'SR',
        mean: null,
        scored: 0,
        unscored: 3,
        reason: 'no judge was asked',
        errored: 0,
        not_applicable: 0,
        reasons: ['no judge was asked'],
        overridden: null,
      },
      {
        metric: 'ToolAcc',
        mean: 2 / 3,
        scored: 3,
        unscored: 0,
        reason: null,
        errored: 0,
        not_applicable: 0,
        reasons: [],
        overridden: null,
      },
    ],
    skipped: [],
  },
  {
    level: 'L6',
    tasks: 3,
    evaluated: 3,
    score: null,
    reason: null,
    usage: NO_USAGE,
    metrics: [
      {
        metric: 'SR',
        mean: 0.5,
        scored: 2,
        unscored: 1,
        reason: null,
        errored: 0,
        not_applicable: 0,
        reasons: ['the verdict could not be read'],
        overridden: null,
      },
      {
        metric: 'RedundantCallRate',
        mean: 0,
        scored: 3,
        unscored: 0,
        reason: null,
        errored: 0,
        not_applicable: 0,
        reasons: [],
        overridden: null,
      },
      {
        metric: 'RefRecall',
        mean: 0.5,
        scored: 3,
        unscored: 0,
        reason: null,
        errored: 0,
        not_applicable: 0,
        reasons: [],
        overridden: { value: 0.75, reason: null },
      },
    ],
    skipped: ['task L6-003 has no instruction'],
  },
];

let mounted: ReturnType<typeof mount> | undefined;
beforeEach(() => locale.choose('en'));
afterEach(async () => {
  if (mounted) await unmount(mounted);
  mounted = undefined;
});

const row = (level: string, metric: string) =>
  [...document.querySelectorAll(`[data-level="${level}"] [data-metric="${metric}"] > *`)].map((cell) =>
    cell.textContent?.trim(),
  );

describe('the table', () => {
  beforeEach(() => {
    mounted = mount(ReportTable, { target: document.body, props: { levels: LEVELS } });
    flushSync();
  });

  it('shows no number but the reason where nothing was scored', () => {
    expect(row('L1', 'SR')).toEqual(['SR', '—no value: no judge was asked', '0', '3', 'no judge was asked']);
  });

  it('shows a mean of 0 as 0', () => {
    expect(row('L6', 'RedundantCallRate')).toEqual(['RedundantCallRate', '0.0000', '3', '0', '']);
  });

  it('shows both counts and the reason where some were scored', () => {
    expect(row('L6', 'SR')).toEqual(['SR', '0.5000', '2', '1', 'the verdict could not be read']);
  });

  it('names the tasks that are in no mean', () => {
    expect(document.querySelector('[data-level="L6"] [scope="rowgroup"]')?.textContent).toContain(
      'task L6-003 has no instruction',
    );
    expect(document.querySelector('[data-level="L1"] [data-skipped]')).toBeNull();
  });

  it('shows the mean with human overrides beside the judged one', () => {
    expect(row('L6', 'RefRecall')[1]).toMatch(/0\.5000\s+with human overrides:\s*→ 0\.7500/);
  });

  it('rounds to four decimals', () => {
    expect(row('L1', 'ToolAcc')[1]).toBe('0.6667');
  });
});

describe('the matrix', () => {
  it('gives a column to metrics that levels share, and the rest to their level', () => {
    expect(sharedMetrics(LEVELS)).toEqual(['SR']);
    expect(ownMetrics(LEVELS[0]!, ['SR']).map(({ metric }) => metric)).toEqual(['ToolAcc']);
    expect(sharedMetrics(LEVELS.slice(0, 1))).toEqual(['SR', 'ToolAcc']);
  });

  it('says the reason to those who cannot see the tooltip', () => {
    mounted = mount(LevelMatrix, { target: document.body, props: { levels: LEVELS } });
    flushSync();
    const first = document.querySelector('[data-level="L1"] td:nth-of-type(2)');
    expect(first?.textContent).toContain('—');
    expect(first?.textContent).toContain('unscored: no judge was asked');
  });
});
