import type { ComponentChildren } from 'preact';
import type { Chosen } from '../choosing/use-chosen.ts';
import { useMedia } from '../hooks/use-media.ts';

export interface Column<Row> {
  name: string;
  /**
   * `wide`, `widest`: only shown in a table of 48 or 64 rem, and in stacked rows; `drawn`: only from 48 rem. `number`:
   * aligned at its right end.
   */
  kind?: 'wide' | 'widest' | 'drawn' | 'number';
  cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  /** The accessible name. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** Rows that a person ticks. */
  choice?: { chosen: Chosen; nameOf: (row: Row) => string };
  /** Few short columns, which stay columns on narrow screens. */
  isNumbers?: boolean;
}

/** Below it, a row is stacked lines. The style sheet has the same width. */
const NARROW = '(max-width: 47.99rem)';

/**
 * A table; its first column names the row. A narrow table leaves columns out. On narrow screens each row is a list of
 * its columns.
 */
export function Table<Row>({ name, columns, rows, idOf, choice, isNumbers = false }: TableProps<Row>) {
  const ids = choice ? rows.map(idOf) : [];
  const isChosen = (id: string): boolean => choice?.chosen.ids.has(id) === true;
  const isNarrow = useMedia(NARROW);
  const isStacked = isNarrow && !isNumbers;
  return (
    <div
      class={isStacked ? 'table-frame stacked' : 'table-frame'}
      // The keyboard scrolls a wide table.
      tabIndex={isStacked ? undefined : 0}
      role={isStacked ? undefined : 'group'}
      aria-label={isStacked ? undefined : `${name}, scrollable`}
    >
      <table aria-label={name}>
        <thead>
          <tr>
            {choice && (
              <td class="tick">
                <input
                  type="checkbox"
                  aria-label="Choose all"
                  checked={ids.every(isChosen)}
                  onChange={() => choice.chosen.toggleAll(ids)}
                />
              </td>
            )}
            {columns.map(({ name: title, kind }) => (
              <th key={title} scope="col" class={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)} class={isChosen(idOf(row)) ? 'chosen' : undefined}>
              {choice && (
                <td class="tick">
                  <input
                    type="checkbox"
                    aria-label={`Choose ${choice.nameOf(row)}`}
                    checked={isChosen(idOf(row))}
                    onChange={() => choice.chosen.toggle(idOf(row))}
                  />
                </td>
              )}
              {columns.map(({ name: title, kind, cell }, n) =>
                n === 0 ? (
                  <th key={title} scope="row" class={kind} data-name={title}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} class={kind} data-name={title}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
