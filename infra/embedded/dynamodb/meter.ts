import type { Output } from '../call.ts';
import { readUnits, writeUnits } from './capacity.ts';
import type { Row } from './rows/row.ts';
import { oneOf } from './request.ts';
import type { Table, TakenItem } from './rows/table.ts';

export type OnConsumed = (table: string, operation: string, units: { read: number; write: number }) => void;

interface Consumed {
  read: number;
  write: number;
}

/** Counts the capacity that one request consumes. */
export class Meter {
  readonly #isRequested: boolean;
  readonly #byTable = new Map<string, Consumed>();
  readonly #writeFactor: 1 | 2;
  readonly #report: OnConsumed | undefined;
  readonly #operation: string;

  constructor(operation: string, isRequested: boolean, report: OnConsumed | undefined) {
    this.#operation = operation;
    this.#isRequested = isRequested;
    this.#report = report;
    // A transaction writes twice: it prepares and commits.
    this.#writeFactor = operation === 'TransactWriteItems' ? 2 : 1;
  }

  /** Undefined if neither the caller nor the service asks for the capacity. */
  static of(operation: string, detail: unknown, report: OnConsumed | undefined): Meter | undefined {
    const isRequested =
      oneOf({ ReturnConsumedCapacity: detail }, 'ReturnConsumedCapacity', ['TOTAL', 'NONE']) === 'TOTAL';
    return isRequested || report ? new Meter(operation, isRequested, report) : undefined;
  }

  read(table: Table, bytes: number, consistent: boolean): void {
    this.#of(table.name).read += readUnits(bytes, consistent);
  }

  /** A write costs as much as the larger of both versions. */
  write(table: Table, before: Row | undefined, after: TakenItem | undefined): void {
    const bytes = Math.max(before ? table.sizeOf(before) : 0, after?.size ?? 0);
    this.#of(table.name).write += writeUnits(bytes) * this.#writeFactor;
  }

  /** A condition check, or a write whose condition failed. */
  check(table: Table, before: Row | undefined): void {
    this.#of(table.name).write += writeUnits(before ? table.sizeOf(before) : 0) * this.#writeFactor;
  }

  /** Reports the capacity. Once per request. */
  close(): void {
    if (!this.#report) return;
    for (const [table, { read, write }] of this.#byTable) this.#report(table, this.#operation, { read, write });
  }

  /** Adds `ConsumedCapacity` to the output of an operation: one for a table, a list for several. */
  addConsumedCapacity(output: Output, { isList = false } = {}): void {
    if (!this.#isRequested) return;
    const all = [...this.#byTable].map(([TableName, { read, write }]) => ({ TableName, CapacityUnits: read + write }));
    output['ConsumedCapacity'] = isList ? all : all[0];
  }

  #of(table: string): Consumed {
    let consumed = this.#byTable.get(table);
    if (!consumed) this.#byTable.set(table, (consumed = { read: 0, write: 0 }));
    return consumed;
  }
}
