import * as z from 'zod';
import { ServiceError } from '../../domain/errors.ts';
import type { EmitterId, UserId } from '../../domain/id.ts';
import { type ClientConnection, isGone } from '../../lib/reading/client-connection.ts';
import type { ByteRate } from '../../lib/reading/byte-rate.ts';
import type { FairGate } from '../../lib/reading/fair-gate.ts';
import { groupsWithin } from '../../lib/reading/groups-within.ts';
import { READ_BUDGET, ReadBudget } from '../../lib/reading/read-budget.ts';
import type { WorkSteps } from '../../lib/reading/work-steps.ts';
import type { StoredEvent } from '../../store/events/event-item.ts';
import { type StoredEventStore, wholeStoredEvent } from '../../store/events/stored-events.ts';

/** A user has one read of each kind at a time. */
type Kind = 'replay' | 'filter' | 'page';

export interface ReadRequest {
  userId: UserId;
  /** The waiting reads of a user's lanes take turns. */
  lane: string;
  /** The read ends with this connection. */
  client: ClientConnection | undefined;
}

/** A read that has begun. */
export interface BodyRead {
  /**
   * Gives events with their whole form, in order, and reads a few at a time. Waits while the user has read too many
   * bytes, and throws {@link ClientGone} once the client is gone.
   */
  whole(
    emitterId: EmitterId,
    events: readonly StoredEvent[],
  ): AsyncGenerator<{ event: StoredEvent; whole: StoredEvent }>;
  /** Counts bytes that were read in another way. */
  spend(bytes: number): Promise<void>;
  /** Does work with one event, whose steps wait for those of other work. */
  inSteps<T>(work: () => Generator<undefined, T, undefined>): Promise<T>;
}

export interface BodyReads {
  /** Waits for the end of the user's earlier reads of the kind. Throws when that takes too long. */
  run<T>(kind: Kind, request: ReadRequest, work: (read: BodyRead) => Promise<T>): Promise<T>;
  /** The same, with a limit of its own and without an error. */
  runWithin<T>(
    kind: Kind,
    request: ReadRequest & { withinMs: number },
    work: (read: BodyRead) => Promise<T>,
  ): Promise<{ value: T } | 'late' | 'gone'>;
  /** One event with its whole form. */
  whole(request: ReadRequest, emitterId: EmitterId, event: StoredEvent): Promise<StoredEvent>;
}

interface Budget {
  gate: FairGate;
  rate: Pick<ByteRate, 'spend'>;
  steps: Pick<WorkSteps, 'finish'>;
}

/** Ends a read whose client is gone. */
class ClientGone extends Error {}

/** A read that has waited for this time still has some seconds until its response is due. */
const LONGEST_WAIT_MS = 18_000;
const RETRY_AFTER_SECONDS = 5;
/** Bodies that are read at once. One may be larger than these bytes. */
const CHUNK_EVENTS = 8;
const CHUNK_BYTES = 2 * 1024 * 1024;

const Host = z.object({
  [READ_BUDGET]: z.custom<ReadBudget>((value) => typeof value === 'object').optional(),
});

/** The host of the functions may share one budget among them, by a property of `process`. */
export const readBudgetOf = (host: object): ReadBudget =>
  Host.parse({ [READ_BUDGET]: Reflect.get(host, READ_BUDGET) })[READ_BUDGET] ?? new ReadBudget();

export function createBodyReads(events: Pick<StoredEventStore, 'whole'>, { gate, rate, steps }: Budget): BodyReads {
  const readOf = ({ userId, client }: ReadRequest): BodyRead => ({
    async *whole(emitterId, list) {
      for (const chunk of groupsWithin(list, { bytes: CHUNK_BYTES, items: CHUNK_EVENTS }, ({ bytes }) => bytes)) {
        if (client?.isOpen === false) throw new ClientGone();
        const read = chunk.map(async (event) => ({
          event,
          whole: await wholeStoredEvent(events, emitterId, event),
        }));
        const pairs = await Promise.all(read);
        await rate.spend(
          userId,
          pairs.reduce((sum, { whole }) => sum + whole.json.length, 0),
        );
        yield* pairs;
      }
    },
    spend: (bytes) => rate.spend(userId, bytes),
    inSteps: (work) => steps.finish(work),
  });

  const runWithin: BodyReads['runWithin'] = async (kind, request, work) => {
    const { userId, lane, client, withinMs } = request;
    const key = `${kind} ${userId}`;
    const entry = await gate.enter(key, lane, { withinMs, client });
    if (entry !== 'entered') return entry;
    try {
      return { value: await work(readOf(request)) };
    } catch (error) {
      if (error instanceof ClientGone) return 'gone';
      throw error;
    } finally {
      gate.leave(key);
    }
  };

  const run: BodyReads['run'] = async (kind, request, work) => {
    const outcome = (await isGone(request.client))
      ? 'gone'
      : await runWithin(kind, { ...request, withinMs: LONGEST_WAIT_MS }, work);
    if (typeof outcome === 'object') return outcome.value;
    throw new ServiceError(
      'unavailable',
      outcome === 'gone'
        ? 'The client of this request is gone.'
        : 'Other requests of this user are reading many large events; try again after Retry-After, or read fewer of them at once.',
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  };

  return {
    run,
    runWithin,
    whole: (request, emitterId, event) =>
      run('page', request, async (read) => {
        for await (const { whole } of read.whole(emitterId, [event])) return whole;
        return event;
      }),
  };
}
