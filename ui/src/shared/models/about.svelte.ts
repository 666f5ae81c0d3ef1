// What is known of a model beside its name: whether its key is there, and its price.
import type { ModelSummary, PriceRow } from '../../ipc/gen';
import { missingKeys, providerOf } from '../connections/provider';
import { dollars } from '../format';
import { locale } from '../locale.svelte';
import { useCall } from '../query.svelte';
import type { SearchOption } from '../search/options';
import { priceOf } from './prices';

export type About = Pick<SearchOption, 'facts' | 'warning'>;

function aboutModel(id: string, models: readonly ModelSummary[], prices: readonly PriceRow[]): About {
  const t = locale.t.connections;
  const entry = providerOf(id, models);
  const lacks = missingKeys(entry).map((names) => names.join(' / '));
  const hasKeys = entry !== undefined && entry.needs.length > 0 && lacks.length === 0;
  const price = id.endsWith('/') ? null : priceOf(id, models, prices);
  const facts = [
    ...(price ? [t.price(dollars(price.input, locale.language), dollars(price.output, locale.language))] : []),
    ...(price?.unconfirmed ? [locale.t.settings.prices.unconfirmed] : []),
    ...(hasKeys ? [t.hasKey] : []),
  ];
  return {
    ...(facts.length > 0 ? { facts: facts.join(' · ') } : {}),
    ...(lacks.length > 0 ? { warning: t.lacksKey(lacks.join(', ')) } : {}),
  };
}

/** Asks for the prices once; without them, models have none. Call it while a component is made. */
export function useAbout(models: () => readonly ModelSummary[]): (id: string) => About {
  const prices = useCall('prices_list', () => ({}));
  return (id) => aboutModel(id, models(), prices.value ?? []);
}
