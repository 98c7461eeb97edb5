import { afterAll, beforeAll, expect, test } from 'vitest';
import { SourceId, UserId } from '../../shared/domain/id.ts';
import type { RunTrigger } from '../../shared/domain/run/message.ts';
import { backlogStore } from '../../shared/store/emitters/backlog.ts';
import { padded } from '../../shared/store/emitters/backlog-item.ts';
import { waitingTriggers } from '../../shared/store/emitters/waiting-triggers.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { echoComponent } from '../support/components.ts';
import { tableOf } from '../support/stores.ts';

let cloud: TestCloud;
let api: ApiClient;
beforeAll(async () => {
  cloud = await startTestCloud();
  api = await apiClient(cloud.base, cloud.key);
});
afterAll(() => cloud.stop());

const OLDEST_AT = 1_795_798_332_005;

/** Three triggers that wait, the oldest since {@link OLDEST_AT}. */
async function letWait(id: string, ownerId: string): Promise<void> {
  const table = tableOf(cloud);
  const sourceId = SourceId.parse(id);
  const triggerOf = (n: number): RunTrigger => ({
    kind: 'run',
    id: `waiting-${n}`,
    emitterId: sourceId,
    ownerId: UserId.parse(ownerId),
    at: OLDEST_AT + n,
    cause: 'http',
    payload: { json: '{}' },
    hops: 0,
  });
  const waiting = [0, 1, 2].map((n) => ({
    rank: 'next' as const,
    sequence: padded(String(n + 1)),
    sentAt: OLDEST_AT + n,
    trigger: triggerOf(n),
  }));
  const bytes = await waitingTriggers(table).put(sourceId, waiting);
  await backlogStore(table).begin(sourceId, padded('1'), {
    last: padded('3'),
    queue: 'arn:runs',
    queueNumber: 0,
    count: 3,
    bytes: bytes.reduce((sum, each) => sum + each, 0),
  });
}

test('a source, and each in the list, tells how many triggers wait in its backlog and since when the oldest waits', async () => {
  const made = await Promise.all(
    ['behind', 'quick'].map((name) => api.post('/sources', { component_code: echoComponent({ name, key: name }) })),
  );
  const [behind, quick] = made.map(({ body }) => body.data);
  expect(behind).toMatchObject({ waiting: 0, oldest_waiting_ms: null });
  await letWait(behind.id, behind.user_id);

  const waits = { waiting: 3, oldest_waiting_ms: OLDEST_AT };
  const none = { waiting: 0, oldest_waiting_ms: null };
  expect((await api.get(`/sources/${behind.id}`)).body.data).toMatchObject(waits);
  expect((await api.get(`/sources/${quick.id}`)).body.data).toMatchObject(none);
  const listed = (await api.get('/users/me/sources')).body.data as { id: string }[];
  expect(listed.find(({ id }) => id === behind.id)).toMatchObject(waits);
  expect(listed.find(({ id }) => id === quick.id)).toMatchObject(none);
  const renamed = await api.put(`/sources/${quick.id}`, { name: 'quicker' });
  expect(renamed.body.data).toMatchObject(none);
});
