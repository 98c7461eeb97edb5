import type { ComponentChildren } from 'preact';
import type { Chosen } from '../choosing/use-chosen.ts';

interface Column<Row> {
  name: string;
  /** `wide`, `widest`: only shown on screens of 48 or 72 rem. `number`: aligned at its right end. */
  kind?: 'wide' | 'widest' | 'number';
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
}

/** A table; its first column names the row. On narrow screens it scrolls by itself. */
export function Table<Row>({ name, columns, rows, idOf, choice }: TableProps<Row>) {
  const ids = choice ? rows.map(idOf) : [];
  const isChosen = (id: string): boolean => choice?.chosen.ids.has(id) === true;
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label={`${name}, scrollable`}>
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
                    onChange={() => {
                      choice.chosen.toggle(idOf(row));
                    }}
                  />
                </td>
              )}
              {columns.map(({ name: title, kind, cell }, n) =>
                n === 0 ? (
                  <th key={title} scope="row" class={kind}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} class={kind}>
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
