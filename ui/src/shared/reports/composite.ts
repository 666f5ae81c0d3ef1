// The composite by its plain name; the names of its variants in files appear on no screen.
import type { CompositeFigure } from '../../ipc/gen';
import { locale } from '../locale.svelte';

/** "Composite", or a variant by what it contains. */
export const compositeName = (variant: string | null | undefined): string =>
  variant ? locale.t.metrics.label(variant) : locale.t.words.composite;

/** What a variant counts; one that nobody here knows in the engine's words. */
export const counted = ({ variant, reading }: Pick<CompositeFigure, 'variant' | 'reading'>): string =>
  locale.t.metrics.counts(variant) ?? locale.said(reading);
