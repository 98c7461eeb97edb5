import type { ComponentChildren } from 'preact';

interface Column<Row> {
  name: string;
  /** `wide`: only shown on wide screens. `number`: aligned at its right end. */
  kind?: 'wide' | 'number';
  cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  /** The accessible name. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
}

/** A table; its first column names the row. On narrow screens it scrolls by itself. */
export function Table<Row>({ name, columns, rows, idOf }: TableProps<Row>) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label={`${name}, scrollable`}>
      <table aria-label={name}>
        <thead>
          <tr>
            {columns.map(({ name: title, kind }) => (
              <th key={title} scope="col" class={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)}>
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
