// Where a model is whose address no connection of the user's names.
import { locale } from './locale.svelte';
import type { Column } from './table/columns';

/** The host of an address, with its port. */
export const hostOf = (address: string): string => address.replace(/^\w+:\/\//, '').split('/')[0] ?? address;

/** A column of hosts, where a row is at an address that its model's name does not say; else none. */
export function hostColumn<Row extends { address?: string }>(rows: readonly Row[]): Column<Row>[] {
  if (!rows.some(({ address }) => address)) return [];
  return [
    {
      id: 'address',
      header: locale.t.words.address,
      value: ({ address }) => address ?? null,
      text: ({ address }) => (address ? hostOf(address) : ''),
      why: ({ address }) => address,
      width: 130,
      folds: true,
    },
  ];
}
