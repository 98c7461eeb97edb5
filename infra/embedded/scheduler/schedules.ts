import type { Disk } from '../disk/disk.ts';
import type { Definition } from './definition.ts';
import { parseScheduleExpression, type ScheduleExpression } from './schedule-expression.ts';

/** A stored schedule. A change makes a new object. Times are epoch milliseconds. */
export interface Schedule {
  readonly definition: Definition;
  /** The first occurrence. Occurrences of a rate count from here. */
  readonly origin: number;
  /** The next occurrence, if there is one. */
  readonly nextAt?: number;
  readonly clientToken?: string;
  /** Absent in a schedule of an earlier release. */
  readonly createdAt?: number;
  readonly changedAt?: number;
}

const DISK_PREFIX = 't/s/';

type Name = Pick<Definition, 'groupName' | 'name'>;

const keyOf = ({ groupName, name }: Name) => `${groupName}/${name}`;

/** One state of a schedule, until the next change. It holds nothing of the definition. */
export interface Version {
  readonly key: string;
  readonly number: number;
}

/**
 * All schedules. Their definitions are on disk only: a schedule takes about 200 bytes of memory, whatever its input.
 * Changes are staged; the caller commits.
 */
export class Schedules {
  readonly #disk: Disk;
  /** The number of the current version of each schedule. */
  readonly #versions = new Map<string, number>();
  #changes = 0;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Reads the schedules on disk, one at a time. */
  async *load(): AsyncGenerator<{ schedule: Schedule; version: Version }> {
    for await (const [path, value] of this.#disk.entries(DISK_PREFIX)) {
      const key = path.slice(DISK_PREFIX.length);
      yield { schedule: JSON.parse(value) as Schedule, version: this.#next(key) };
    }
  }

  get size(): number {
    return this.#versions.size;
  }

  get(name: Name): Schedule | undefined {
    return this.#read(keyOf(name));
  }

  /** The schedule, if it did not change since. */
  current({ key, number }: Version): Schedule | undefined {
    return this.#versions.get(key) === number ? this.#read(key) : undefined;
  }

  isCurrent({ key, number }: Version): boolean {
    return this.#versions.get(key) === number;
  }

  put(schedule: Schedule): Version {
    const key = keyOf(schedule.definition);
    this.#disk.put(DISK_PREFIX + key, JSON.stringify(schedule));
    return this.#next(key);
  }

  /** The least names of a group after this one, in order. */
  namesAfter(groupName: string, after: string, limit: number): string[] {
    const start = keyOf({ groupName, name: after });
    const prefix = keyOf({ groupName, name: '' });
    const least: string[] = [];
    for (const key of this.#versions.keys()) {
      const [greatest = ''] = least.slice(-1);
      if (key <= start || !key.startsWith(prefix) || (least.length === limit && key >= greatest)) continue;
      if (least.length === limit) least.pop();
      least.push(key);
      least.sort();
    }
    return least.map((key) => key.slice(prefix.length));
  }

  #read(key: string): Schedule | undefined {
    const stored = this.#versions.has(key) ? this.#disk.get(DISK_PREFIX + key) : undefined;
    return stored === undefined ? undefined : (JSON.parse(stored) as Schedule);
  }

  #next(key: string): Version {
    this.#changes += 1;
    this.#versions.set(key, this.#changes);
    return { key, number: this.#changes };
  }

  remove({ definition }: Pick<Schedule, 'definition'>): void {
    this.#versions.delete(keyOf(definition));
    this.#disk.del(DISK_PREFIX + keyOf(definition));
  }
}

const parsed = new WeakMap<Definition, ScheduleExpression>();

export function expressionOf(definition: Definition): ScheduleExpression {
  const known = parsed.get(definition) ?? parseScheduleExpression(definition.scheduleExpression, definition.timezone);
  parsed.set(definition, known);
  return known;
}

/** The first occurrence of a schedule that is created now, if it has one. */
export const firstOccurrence = (definition: Definition, now: number): number | undefined =>
  expressionOf(definition).first(Math.floor(now / 1000) * 1000, definition.startDate);

/**
 * The occurrence after the due one. Occurrences that passed while the service did not run are skipped: the due one
 * stands for them.
 */
export function occurrenceAfter({ definition, origin }: Schedule, due: number, now: number): number | undefined {
  const expression = expressionOf(definition);
  const next = expression.next(due, origin);
  return next === undefined || next > now ? next : expression.next(now, origin);
}
