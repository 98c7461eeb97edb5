import { AwsError } from '../call.ts';
import { indexUnits, readUnits, writeUnits } from './capacity.ts';
import { type Row } from './row.ts';
import { type Table, type TakenItem } from './table.ts';

export type OnConsumed = (table: string, operation: string, units: { read: number; write: number }) => void;

interface Consumed {
  read: number;
  write: number;
  readonly indexes: Map<string, number>;
}

const DETAILS = ['INDEXES', 'TOTAL', 'NONE'];

/** Counts the capacity of one request, if anybody wants to know. */
export class Meter {
  private readonly detail: unknown;
  private readonly byTable = new Map<string, Consumed>();
  private readonly transactional: boolean;
  private readonly report: OnConsumed | undefined;
  private readonly operation: string;

  constructor(operation: string, detail: unknown, report: OnConsumed | undefined) {
    this.operation = operation;
    this.detail = detail;
    this.report = report;
    this.transactional = operation.startsWith('Transact');
  }

  /** Undefined if nobody wants to know. */
  static of(operation: string, detail: unknown, report: OnConsumed | undefined): Meter | undefined {
    if (detail !== undefined && !DETAILS.includes(String(detail))) {
      throw new AwsError(
        'ValidationException',
        `1 validation error detected: Value '${String(detail)}' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [${DETAILS.join(', ')}]`,
      );
    }
    const wanted = report !== undefined || (detail !== undefined && detail !== 'NONE');
    return wanted ? new Meter(operation, detail, report) : undefined;
  }

  read(table: Table, bytes: number, consistent: boolean): void {
    this.of(table.name).read += readUnits(bytes, consistent) * (this.transactional ? 2 : 1);
  }

  readIndex(table: Table, index: string, bytes: number): void {
    add(this.of(table.name), index, readUnits(bytes, false));
  }

  /** A write costs the larger of both versions; a failed condition costs what a write of the item would. */
  write(table: Table, before: Row | undefined, after: TakenItem | undefined): void {
    const consumed = this.of(table.name);
    const bytes = Math.max(before ? table.sizeOf(before) : 0, after?.size ?? 0);
    consumed.write += writeUnits(bytes) * (this.transactional ? 2 : 1);
    for (const index of table.indexes) {
      const units = indexUnits(before && table.read(before), after?.item, index);
      if (units > 0) add(consumed, index.name, units);
    }
  }

  /** What a check of an item costs in a transaction, or a write whose condition failed: nothing in the indexes. */
  check(table: Table, before: Row | undefined): void {
    this.of(table.name).write += writeUnits(before ? table.sizeOf(before) : 0) * (this.transactional ? 2 : 1);
  }

  /** Tells the counter. Once per request. */
  close(): void {
    if (!this.report) return;
    for (const [table, { read, write, indexes }] of this.byTable) {
      const inIndexes = [...indexes.values()].reduce((sum, units) => sum + units, 0);
      const isRead = write === 0 && (this.operation === 'Query' || this.operation === 'Scan');
      this.report(table, this.operation, {
        read: read + (isRead ? inIndexes : 0),
        write: write + (isRead ? 0 : inIndexes),
      });
    }
  }

  /** `ConsumedCapacity` of an operation on one table. */
  one(): Record<string, unknown> | undefined {
    return this.all()?.[0];
  }

  /** `ConsumedCapacity` of an operation on several tables. */
  all(): Record<string, unknown>[] | undefined {
    if (this.detail !== 'TOTAL' && this.detail !== 'INDEXES') return undefined;
    return [...this.byTable].map(([TableName, consumed]) => this.describe(TableName, consumed));
  }

  private describe(TableName: string, { read, write, indexes }: Consumed): Record<string, unknown> {
    const total = [...indexes.values()].reduce((sum, units) => sum + units, read + write);
    const split = (units: number) => {
      if (!this.transactional) return {};
      return write > 0 ? { WriteCapacityUnits: units } : { ReadCapacityUnits: units };
    };
    const described = { TableName, CapacityUnits: total, ...split(total) };
    if (this.detail !== 'INDEXES') return described;
    const inIndexes = [...indexes].map(([name, units]) => [name, { CapacityUnits: units }] as const);
    return {
      ...described,
      Table: { CapacityUnits: read + write, ...split(read + write) },
      ...(inIndexes.length > 0 && { GlobalSecondaryIndexes: Object.fromEntries(inIndexes) }),
    };
  }

  private of(table: string): Consumed {
    let consumed = this.byTable.get(table);
    if (!consumed) this.byTable.set(table, (consumed = { read: 0, write: 0, indexes: new Map() }));
    return consumed;
  }
}

function add({ indexes }: Consumed, index: string, units: number): void {
  indexes.set(index, (indexes.get(index) ?? 0) + units);
}
