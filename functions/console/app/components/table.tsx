import type { ComponentChildren } from 'preact';
import { useAllows } from '../api/rights.tsx';
import type { Chosen } from '../choosing/use-chosen.ts';
import { useArrivals } from '../hooks/use-arrivals.ts';
import { useWide } from '../hooks/use-wide.ts';
import { SelectFilter } from './select-filter.tsx';

export interface Column<Row> {
  name: string;
  /**
   * `wide`, `wider`, `widest`: only shown in a table of 44, 48 or 64 rem, and in stacked rows; `drawn`: only from 48
   * rem. `number`: aligned at its right end.
   */
  kind?: 'wide' | 'wider' | 'widest' | 'drawn' | 'number';
  cell: (row: Row) => ComponentChildren;
  /** Makes the heading a button that sorts by this value. */
  sort?: { keyOf: (row: Row) => string | number; isDescendingFirst?: boolean };
}

/** The column that the rows are sorted by. */
export interface Sorting {
  name: string | undefined;
  isDescending: boolean;
  /** Sorts by a column; without a direction by its own, or the other way round when it sorts already. */
  sortBy: (name: string, isDescending?: boolean) => void;
}

interface TableProps<Row> {
  /** The accessible name. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** Rows that a person ticks. */
  choice?: { chosen: Chosen; nameOf: (row: Row) => string };
  sorting?: Sorting;
  /** Few short columns, which stay columns on narrow screens. */
  isNumbers?: boolean;
}

/** The column of buttons that change a row. */
const ACTIONS = 'Actions';

const rowClass = (isChosen: boolean, hasArrived: boolean): string | undefined =>
  [isChosen && 'chosen', hasArrived && 'arrived'].filter(Boolean).join(' ') || undefined;

/**
 * A table; its first column names the row. A narrow table leaves columns out. On narrow screens each row is a list of
 * its columns.
 */
export function Table<Row>({ name, rows, idOf, sorting, isNumbers = false, ...rest }: TableProps<Row>) {
  // Rows are ticked to change them.
  const allows = useAllows('manage');
  const choice = allows ? rest.choice : undefined;
  const columns = allows ? rest.columns : rest.columns.filter((column) => column.name !== ACTIONS);
  const ids = rows.map(idOf);
  const hasArrived = useArrivals(ids);
  const isChosen = (id: string): boolean => choice?.chosen.ids.has(id) === true;
  const isWide = useWide();
  const isStacked = !isWide && !isNumbers;
  const table = (
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
            {columns.map(({ name: title, kind, sort }) => (
              <Heading key={title} title={title} kind={kind} sorting={sort && sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={idOf(row)} class={rowClass(isChosen(idOf(row)), hasArrived(idOf(row)))}>
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
  if (!isStacked || !sorting) return table;
  return (
    <>
      <SortSelect names={columns.flatMap((column) => (column.sort ? [column.name] : []))} sorting={sorting} />
      {table}
    </>
  );
}

const optionOf = (name: string, isDescending: boolean): string => `${name} ${isDescending ? '↓' : '↑'}`;

/** The orders of stacked rows, which have no headings. */
function SortSelect({
  names,
  sorting: { name, isDescending, sortBy },
}: {
  names: readonly string[];
  sorting: Sorting;
}) {
  const orders = names.flatMap((each) => [false, true].map((descends) => ({ each, descends })));
  return (
    <SelectFilter
      label="Sort by"
      value={name === undefined ? '' : optionOf(name, isDescending)}
      onChange={(text) => {
        const order = orders.find(({ each, descends }) => optionOf(each, descends) === text);
        if (order) sortBy(order.each, order.descends);
      }}
      {...(name === undefined ? { all: 'As listed' } : {})}
      values={orders.map(({ each, descends }) => optionOf(each, descends))}
    />
  );
}

interface HeadingProps {
  title: string;
  kind: string | undefined;
  sorting: Sorting | undefined;
}

/** The heading of a column: a button, if the rows can be sorted by it. */
function Heading({ title, kind, sorting }: HeadingProps) {
  if (!sorting)
    return (
      <th scope="col" class={kind}>
        {title}
      </th>
    );
  const isSorted = sorting.name === title;
  const direction = sorting.isDescending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={kind} aria-sort={isSorted ? direction : undefined}>
      <button type="button" class="sort" onClick={() => sorting.sortBy(title)}>
        {title}
        <span aria-hidden="true">{isSorted ? (sorting.isDescending ? '↓' : '↑') : ''}</span>
      </button>
    </th>
  );
}
