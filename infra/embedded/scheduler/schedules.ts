import type { Disk } from '../disk.ts';
import type { Definition } from './definition.ts';
import { parseExpression, type Expression } from './expression.ts';

/** A schedule as it is kept; a change makes a new object. */
export interface Schedule {
  readonly definition: Definition;
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** The first occurrence; those of a rate are counted from it. */
  readonly origin: number;
  /** The next occurrence; absent when there is none, or while the schedule is disabled. */
  readonly nextAt?: number;
  readonly clientToken?: string;
  /** Declared by the stack rather than created by a call. */
  readonly isStatic?: true;
}

const DISK_PREFIX = 't/s/';

const keyOf = ({ groupName, name }: Pick<Definition, 'groupName' | 'name'>) => `${groupName}/${name}`;

/** All schedules, in memory and on the Disk. Changes are staged; the caller commits. */
export class Schedules {
  private readonly disk: Disk;
  private readonly byKey = new Map<string, Schedule>();

  constructor(disk: Disk) {
    this.disk = disk;
  }

  async load(): Promise<void> {
    for await (const [key, value] of this.disk.entries(DISK_PREFIX)) {
      this.byKey.set(key.slice(DISK_PREFIX.length), JSON.parse(value) as Schedule);
    }
  }

  get size(): number {
    return this.byKey.size;
  }

  get(key: Pick<Definition, 'groupName' | 'name'>): Schedule | undefined {
    return this.byKey.get(keyOf(key));
  }

  all(): IterableIterator<Schedule> {
    return this.byKey.values();
  }

  /** By group and name. */
  sorted(isWanted: (schedule: Schedule) => boolean): Schedule[] {
    const found = [...this.byKey].filter(([, schedule]) => isWanted(schedule));
    return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, schedule]) => schedule);
  }

  put(schedule: Schedule): void {
    const key = keyOf(schedule.definition);
    this.byKey.set(key, schedule);
    this.disk.put(DISK_PREFIX + key, JSON.stringify(schedule));
  }

  remove({ definition }: Schedule): void {
    this.byKey.delete(keyOf(definition));
    this.disk.del(DISK_PREFIX + keyOf(definition));
  }
}

const parsed = new WeakMap<Definition, Expression>();

export function expressionOf(definition: Definition): Expression {
  const known = parsed.get(definition) ?? parseExpression(definition.scheduleExpression, definition.timezone);
  parsed.set(definition, known);
  return known;
}

/** The first occurrence of a schedule that is created now; undefined when it has none. */
export function firstOccurrence(definition: Definition, now: number): number | undefined {
  return before(
    definition,
    expressionOf(definition).first(Math.floor(now / 1000) * 1000, definition.startDate),
  );
}

/**
 * The occurrence after the one that is due. Those that were missed meanwhile, because nothing ran, are passed over: the
 * one that is due stands for them.
 */
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
