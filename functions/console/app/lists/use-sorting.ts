import { useMemo } from 'preact/hooks';
import type { Column, Sorting } from '../components/table.tsx';
import { useAddressFilter } from '../hooks/use-address-filter.ts';

/** `Last event` is `last-event` in the address; with a `-` in front it is descending. */
const textOf = (name: string, isDescending: boolean): string =>
  `${isDescending ? '-' : ''}${name.toLowerCase().replaceAll(' ', '-')}`;

/**
 * Rows in the order of the address, `?sort=`; in that of a standard column, or in their own order, without it. Rows
 * that are equal keep their order.
 */
export function useSorting<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  standard?: string,
): { sorted: readonly Row[]; sorting: Sorting } {
  const [text, setText] = useAddressFilter('sort');
  const named = columns.find(({ name, sort }) => sort && textOf(name, false) === text.replace(/^-/, ''));
  const column = named ?? columns.find(({ name }) => name === standard);
  const isDescending = named ? text.startsWith('-') : column?.sort?.isDescendingFirst === true;
  const sorted = useMemo(() => {
    if (!column?.sort) return rows;
    const { keyOf } = column.sort;
    return rows.toSorted((a, b) => compare(keyOf(a), keyOf(b)) * (isDescending ? -1 : 1));
  }, [rows, column, isDescending]);
  return {
    sorted,
    sorting: {
      name: column?.name,
      isDescending,
      sortBy(name, descends) {
        const next = columns.find((each) => each.name === name)?.sort;
        const isReversed = name === column?.name ? !isDescending : next?.isDescendingFirst === true;
        setText(textOf(name, descends ?? isReversed));
      },
    },
  };
}

const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
