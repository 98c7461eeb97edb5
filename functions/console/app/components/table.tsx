import type { ComponentChildren } from 'preact';
import type { Chosen } from '../choosing/use-chosen.ts';
import { frameClass, STACKED, useFitting } from '../hooks/use-fitting.ts';
import { useMedia } from '../hooks/use-media.ts';
import { NewRows } from '../steady/new-rows.tsx';
import { useSteadyRows } from '../steady/use-steady-rows.ts';

interface Column<Row> {
  name: string;
  /**
   * `wide`, `widest`: only shown on screens of 48 or 72 rem where they fit, and in stacked rows; `drawn`: only from 48 rem. `number`: aligned
   * at its right end.
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

/** A table; its first column names the row. Columns that do not fit are left out. On narrow screens each row is a list of its columns. */
export function Table<Row>({ name, columns, idOf, choice, isNumbers = false, ...props }: TableProps<Row>) {
  const { list, rows, isGone, waiting } = useSteadyRows(props.rows, idOf);
  const ids = choice ? rows.map(idOf) : [];
  const isChosen = (id: string): boolean => choice?.chosen.ids.has(id) === true;
  const isNarrow = useMedia(NARROW);
  const fitting = useFitting(list, !isNumbers && !isNarrow);
  const step = isNumbers ? 0 : isNarrow ? STACKED : fitting;
  const isStacked = step === STACKED;
  return (
    <div
      ref={list}
      class={frameClass(step)}
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
                  onChange={() => {
                    choice.chosen.toggleAll(ids);
                  }}
                />
              </td>
            )}
            {columns.map(({ name: title, kind }, n) => (
              <th key={title} scope="col" class={kind}>
                {title}
                {n === 0 && <NewRows count={waiting} />}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)} class={rowClass(isChosen(idOf(row)), isGone(idOf(row)))}>
              {choice && (
                <td class="tick">
                  <input
                    type="checkbox"
                    aria-label={`Choose ${choice.nameOf(row)}`}
                    checked={isChosen(idOf(row))}
                    onChange={() => {
                      choice.chosen.toggle(idOf(row));
                    }}
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

const rowClass = (isChosen: boolean, isGone: boolean): string | undefined =>
  isGone ? 'gone' : isChosen ? 'chosen' : undefined;
