import { AwsError, type Output } from '../call.ts';
import { readUnits, writeUnits } from './capacity.ts';
import type { Row } from './rows/row.ts';
import type { Table, TakenItem } from './rows/table.ts';

export type OnConsumed = (table: string, operation: string, units: { read: number; write: number }) => void;

interface Consumed {
  read: number;
  write: number;
}

const DETAILS = ['INDEXES', 'TOTAL', 'NONE'];

/** Counts the capacity that one request consumes. */
export class Meter {
  readonly #detail: unknown;
  readonly #byTable = new Map<string, Consumed>();
  readonly #writeFactor: 1 | 2;
  readonly #report: OnConsumed | undefined;
  readonly #operation: string;

  constructor(operation: string, detail: unknown, report: OnConsumed | undefined) {
    this.#operation = operation;
    this.#detail = detail;
    this.#report = report;
    // A transaction writes twice: it prepares and commits.
    this.#writeFactor = operation === 'TransactWriteItems' ? 2 : 1;
  }

  /** Undefined if neither the caller nor the service asks for the capacity. */
  static of(operation: string, detail: unknown, report: OnConsumed | undefined): Meter | undefined {
    if (detail !== undefined && !DETAILS.includes(String(detail))) {
      throw new AwsError(
        'ValidationException',
        `1 validation error detected: Value '${String(detail)}' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [${DETAILS.join(', ')}]`,
      );
    }
    const isRequested = report !== undefined || (detail !== undefined && detail !== 'NONE');
    return isRequested ? new Meter(operation, detail, report) : undefined;
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

  /** Adds `ConsumedCapacity` to the output of an operation on one table. */
  addConsumedCapacity(output: Output): void {
    const [first] = this.#described();
    if (first) output['ConsumedCapacity'] = first;
  }

  /** Adds `ConsumedCapacity` to the output of an operation on several tables. */
  addConsumedCapacities(output: Output): void {
    if (this.#hasDetail()) output['ConsumedCapacity'] = this.#described();
  }

  #hasDetail(): boolean {
    return this.#detail === 'TOTAL' || this.#detail === 'INDEXES';
  }

  #described(): Output[] {
    if (!this.#hasDetail()) return [];
    return [...this.#byTable].map(([TableName, consumed]) => this.#describe(TableName, consumed));
  }

  #describe(TableName: string, { read, write }: Consumed): Output {
    const total = read + write;
    const split = (units: number) => (this.#writeFactor === 2 ? { WriteCapacityUnits: units } : {});
    const described = { TableName, CapacityUnits: total, ...split(total) };
    if (this.#detail !== 'INDEXES') return described;
    return { ...described, Table: { CapacityUnits: total, ...split(total) } };
  }

  #of(table: string): Consumed {
    let consumed = this.#byTable.get(table);
    if (!consumed) this.#byTable.set(table, (consumed = { read: 0, write: 0 }));
    return consumed;
  }
}
