import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { UserId } from '../../../../shared/domain/id.ts';
import { apiKeyKey } from '../../../../shared/store/table/keys.ts';
import { userStore } from '../../../../shared/store/users/users.ts';
import { openEventTable } from '../../../support/event-table.ts';

test.each(['one', 'both'] as const)(
  'a user is suspended and resumed when the items of %s of its keys are missing',
  async (missing) => {
    const { table, close } = await openEventTable({ clock: new FakeClock() });
    onTestFinished(close);
    const users = userStore(table);
    const id = UserId.parse('u_ann');
    const user = { id, username: 'ann', email: 'a@b.c', plan: 'free', keyHash: 'k', createdAt: 0 } as const;
    await users.create(user);
    await users.setLocalKey(id, { hash: 'local', onlyFrom: ['127.0.0.1'] });
    for (const hash of missing === 'one' ? ['k'] : ['k', 'local'])
      await table.dynamo.send(new DeleteCommand({ TableName: table.tableName, Key: apiKeyKey(hash) }));
    expect(await users.setSuspension(id, 7)).toBe(true);
    expect(await users.find(id)).toMatchObject({ suspendedAt: 7 });
    expect((await users.findByKeyHash('local'))?.suspendedAt).toBe(missing === 'one' ? 7 : undefined);
    expect(await users.findByKeyHash('k')).toBeUndefined();
    expect(await users.setSuspension(id, undefined)).toBe(true);
    expect(await users.find(id)).not.toHaveProperty('suspendedAt');
    expect(await users.setSuspension(UserId.parse('u_nobody'), 7)).toBe(false);
  },
);
