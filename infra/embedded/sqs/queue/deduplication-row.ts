/** The message that a deduplication id stands for. */
export interface RecentlySent {
  readonly number: number;
  readonly id: string;
}

/** A digest of 16 bytes in Base64url. */
const DIGEST_LENGTH = 22;

/** Deduplication ids that hold until the same time, in epoch ms. `number` is that of their first message. */
export class DeduplicationRow {
  readonly number: number;
  readonly until: number;
  #size = 0;
  /** A line for each id: its digest, then the number and the id of its message. */
  #lines: string;

  constructor(number: number, until: number, lines = '') {
    this.number = number;
    this.until = until;
    this.#lines = lines;
  }

  static decode(number: number, text: string): DeduplicationRow {
    const end = text.indexOf('\n');
    return new DeduplicationRow(number, Number(text.slice(0, end)), text.slice(end));
  }

  /** From an older version, which had a row for each id by its digest. */
  static decodeOlder(digest: string, text: string): DeduplicationRow {
    const [until, number, id = ''] = text.split(' ');
    const row = new DeduplicationRow(Number(number), Number(until));
    row.add(digest, { number: row.number, id });
    return row;
  }

  encode(): string {
    return `${this.until}${this.#lines}`;
  }

  /** Ids that were added to this row, without those that it was decoded with. */
  get size(): number {
    return this.#size;
  }

  add(digest: string, { number, id }: RecentlySent): void {
    this.#size += 1;
    this.#lines += `\n${digest} ${number} ${id}`;
  }

  find(digest: string): RecentlySent | undefined {
    const start = this.#lines.indexOf(`\n${digest} `);
    if (start < 0) return undefined;
    const [line = ''] = this.#lines.slice(start + 1).split('\n', 1);
    const [, number, id = ''] = line.split(' ');
    return { number: Number(number), id };
  }

  digests(): string[] {
    return this.#lines
      .split('\n')
      .slice(1)
      .map((line) => line.slice(0, DIGEST_LENGTH));
  }
}
