import type { Disk } from '../disk.ts';
import type { Definition } from './definition.ts';
import { parseScheduleExpression, type ScheduleExpression } from './schedule-expression.ts';

/** A stored schedule. A change makes a new object. Times are epoch milliseconds. */
export interface Schedule {
  readonly definition: Definition;
  /** The first occurrence. Occurrences of a rate count from here. */
  readonly origin: number;
  /** The next occurrence. Undefined if there is none, or while the schedule is disabled. */
  readonly nextAt?: number;
  readonly clientToken?: string;
  /** The stack declares the schedule; no call created it. */
  readonly isStatic?: true;
}

const DISK_PREFIX = 't/s/';

const keyOf = ({ groupName, name }: Pick<Definition, 'groupName' | 'name'>) => `${groupName}/${name}`;

/** All schedules, in memory and on disk. Changes are staged; the caller commits. */
export class Schedules {
  readonly #disk: Disk;
  readonly #byKey = new Map<string, Schedule>();

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  async load(): Promise<void> {
    for await (const [key, value] of this.#disk.entries(DISK_PREFIX)) {
      this.#byKey.set(key.slice(DISK_PREFIX.length), JSON.parse(value) as Schedule);
    }
  }

  get size(): number {
    return this.#byKey.size;
  }

  get(key: Pick<Definition, 'groupName' | 'name'>): Schedule | undefined {
    return this.#byKey.get(keyOf(key));
  }

  all(): IterableIterator<Schedule> {
    return this.#byKey.values();
  }

  put(schedule: Schedule): void {
    const key = keyOf(schedule.definition);
    this.#byKey.set(key, schedule);
    this.#disk.put(DISK_PREFIX + key, JSON.stringify(schedule));
  }

  remove({ definition }: Schedule): void {
    this.#byKey.delete(keyOf(definition));
    this.#disk.del(DISK_PREFIX + keyOf(definition));
  }
}

const parsed = new WeakMap<Definition, ScheduleExpression>();

export function expressionOf(definition: Definition): ScheduleExpression {
  const known =
    parsed.get(definition) ?? parseScheduleExpression(definition.scheduleExpression, definition.timezone);
  parsed.set(definition, known);
  return known;
}

/** The first occurrence of a schedule that is created now, if it has one. */
export function firstOccurrence(definition: Definition, now: number): number | undefined {
  return before(
    definition,
    expressionOf(definition).first(Math.floor(now / 1000) * 1000, definition.startDate),
  );
}

/** The occurrence after the due one. Occurrences that passed while the service did not run are skipped: the due one stands for them. */
export function occurrenceAfter(
  { definition, origin }: Schedule,
  due: number,
  now: number,
): number | undefined {
  const expression = expressionOf(definition);
  const next = before(definition, expression.next(due, origin));
  return next === undefined || next > now ? next : before(definition, expression.next(now, origin));
}

const before = ({ endDate }: Definition, at: number | undefined) =>
  at === undefined || (endDate !== undefined && at > endDate) ? undefined : at;
