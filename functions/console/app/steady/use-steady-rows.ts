import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { useAim } from './pointer-aim.ts';
import { steadyRows } from './steady-rows.ts';

interface SteadyList<Row, Part extends HTMLElement> {
  /** The element of the list. Within it the pointer aims at a row. */
  list: RefObject<Part>;
  rows: readonly Row[];
  isGone: (id: string) => boolean;
  /** New rows that are gathered until the pointer leaves the lists. */
  waiting: number;
}

/**
 * The rows of a live list. While the pointer is over a list of the page, no row moves, so that a click hits the row at which a person aimed.
 * The keyboard needs no such thing: the focus moves with its row.
 */
export function useSteadyRows<Row, Part extends HTMLElement = HTMLDivElement>(
  current: readonly Row[],
  idOf: (row: Row) => string,
  { keepsData = false }: { keepsData?: boolean } = {},
): SteadyList<Row, Part> {
  const list = useRef<Part>(null);
  const isAiming = useAim(list);
  const shown = useRef(current);
  const steady = isAiming ? steadyRows({ shown: shown.current, current, idOf, keepsData }) : undefined;
  const rows = steady?.rows ?? current;
  shown.current = rows;
  return {
    list,
    rows,
    isGone: (id) => steady?.gone.has(id) === true,
    waiting: steady?.waiting ?? 0,
  };
}
