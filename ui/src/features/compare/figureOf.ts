// What a tested figure is called: a metric with its level, a level's score, or the composite.
import type { PairTest } from '../../ipc/gen';
import { locale } from '../../shared/locale.svelte';
import { compositeName } from '../../shared/reports/composite';

export const figureOf = ({ level, metric, variant }: Pick<PairTest, 'level' | 'metric' | 'variant'>): string =>
  variant ? compositeName(variant) : [metric && locale.t.metrics.label(metric), level].filter(Boolean).join(' · ');
