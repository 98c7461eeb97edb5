/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html */
const WRITE_UNIT_BYTES = 1024;
const READ_UNIT_BYTES = 4096;

/** One unit per started KB. A missing item costs one unit. */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));
}

/** One unit per started 4 KB; an eventually consistent read costs half. */
export function readUnits(bytes: number, consistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES)) * (consistent ? 1 : 0.5);
}
