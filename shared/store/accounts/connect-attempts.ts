import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ConnectAttempt, Flight, READABLE_MS, STEP_MS } from '../../domain/oauth/attempt.ts';
import type { ConnectAttemptId } from '../../domain/id.ts';
import { changeItem } from '../table/change-item.ts';
import { connectAttemptKey, flightKey } from '../table/keys.ts';
import { conditionally, type TableOptions } from '../table/table-client.ts';

export type ConnectAttemptStore = ReturnType<typeof connectAttemptStore>;

/** Undefined fields are removed; absent fields stay. */
export type AttemptChange = Partial<Pick<ConnectAttempt, 'waitingUntil' | 'flights' | 'isConnected'>> & {
  confirmed?: ConnectAttempt['confirmed'];
  refusal?: string | undefined;
};
export type FlightChange = Partial<Pick<Flight, 'status' | 'exchangedAt' | 'login' | 'grantedScopes'>> & {
  tokens?: Flight['tokens'];
  confirmationHash?: Flight['confirmationHash'];
};

/** Attempts to connect an account, and their flights. They expire by themselves. */
export function connectAttemptStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;

  const read = async (Key: Record<string, string>) =>
    (await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;

  const put = async (Item: Record<string, unknown>) => {
    const condition = { ConditionExpression: 'attribute_not_exists(pk)' };
    await conditionally(() => dynamo.send(new PutCommand({ TableName, Item, ...condition })));
  };

  return {
    async find(id: ConnectAttemptId): Promise<ConnectAttempt | undefined> {
      const item = await read(connectAttemptKey(id));
      return item && ConnectAttempt.parse(item);
    },

    create: (attempt: ConnectAttempt): Promise<void> =>
      put({
        ...connectAttemptKey(attempt.id),
        ...attempt,
        expiresAt: seconds(attempt.createdAt + READABLE_MS + 3 * STEP_MS),
      }),

    /** Changes an attempt that was read before. Undefined when it was changed meanwhile. */
    async change(
      { id, version }: ConnectAttempt,
      change: AttemptChange,
    ): Promise<ConnectAttempt | undefined> {
      const written = await changeItem(table, connectAttemptKey(id), { change, version });
      return written && ConnectAttempt.parse(written);
    },

    async findFlight(id: ConnectAttemptId, stateHash: string): Promise<Flight | undefined> {
      const item = await read(flightKey(id, stateHash));
      return item && Flight.parse(item);
    },

    createFlight: (flight: Flight): Promise<void> =>
      put({
        ...flightKey(flight.attemptId, flight.stateHash),
        ...flight,
        expiresAt: seconds(flight.openedAt + READABLE_MS),
      }),

    /** Changes a flight that was read before. Undefined when it was changed meanwhile. */
    async changeFlight(
      { attemptId, stateHash, version }: Flight,
      change: FlightChange,
    ): Promise<Flight | undefined> {
      const written = await changeItem(table, flightKey(attemptId, stateHash), { change, version });
      return written && Flight.parse(written);
    },
  };
}

const seconds = (ms: number): number => Math.ceil(ms / 1_000);
