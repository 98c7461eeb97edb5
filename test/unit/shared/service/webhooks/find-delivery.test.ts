import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { deliveryIdOf } from '../../../../../shared/domain/delivery/delivery.ts';
import { EventId } from '../../../../../shared/domain/event/event-id.ts';
import { type DeliveryId, SourceId, UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import { LISTED } from '../../../../../shared/service/admission/look-up-rates.ts';
import { findDelivery } from '../../../../../shared/service/webhooks/find-delivery.ts';
import { deliveryStore } from '../../../../../shared/store/deliveries/deliveries.ts';
import { deliveryLog } from '../../../../../shared/store/deliveries/delivery-log.ts';
import { webhookKey, webhookListKey } from '../../../../../shared/store/table/keys.ts';
import { webhookStore } from '../../../../../shared/store/subscriptions/webhooks.ts';
import { type EventTable, openEventTable } from '../../../../support/event-table.ts';

const mine = UserId.parse('u_mine');
const other = UserId.parse('u_other');
const emitterId = SourceId.parse('dc_1');
const event = { emitId: 'e', eventId: EventId.parse('1795798332005-1') };
const hookOf = (n: number) => WebhookId.parse(`wh_${String(n).padStart(4, '0')}`);
const now = () => 1_795_798_333_000;

let opened: EventTable;
let asked: number[] = [];
let services: Parameters<typeof findDelivery>[0] & {
  deliveries: ReturnType<typeof deliveryStore>;
  successLog: ReturnType<typeof deliveryLog>;
};
beforeEach(async () => {
  opened = await openEventTable({ clock: new FakeClock() });
  services = {
    webhooks: webhookStore(opened.table),
    deliveries: deliveryStore(opened.table, now),
    successLog: deliveryLog(opened.table),
    lookUps: { admit: (_, webhooks) => Promise.resolve(void asked.push(webhooks)) },
  };
});
afterEach(() => opened.close());

const put = (item: object) =>
  opened.table.dynamo.send(new PutCommand({ TableName: opened.table.tableName, Item: item }));
async function own(id: WebhookId, ownerId: UserId): Promise<void> {
  await put(webhookListKey(ownerId, id));
  await put({
    ...webhookKey(id),
    id,
    ownerId,
    url: 'http://127.0.0.1:9/',
    secret: 'whsec_none',
    active: true,
    createdAt: 1,
    updatedAt: 1,
    version: 1,
  });
}
const find = async (id: DeliveryId, ownerId = mine) => {
  const { delivery, webhook } = await findDelivery(services, ownerId, id);
  return [delivery.id, delivery.status, webhook.id];
};
const notFound = { kind: 'not_found', code: 'not_found' };

test('a look-up counts the webhooks that it asks, and one that is refused asks none', async () => {
  await Promise.all([own(hookOf(0), mine), own(hookOf(1), mine)]);
  asked = [];
  const id = deliveryIdOf(event, hookOf(1));
  await expect(find(id)).rejects.toMatchObject({ ...notFound, message: `There is no delivery ${id}.` });
  expect(asked).toEqual([LISTED, 2]);
  const refused = new Error('used up');
  const broken = () => Promise.reject(new Error('The table was asked'));
  const context = {
    webhooks: { ids: broken, find: broken },
    deliveries: { findAll: broken },
    successLog: { find: broken },
    lookUps: { admit: () => Promise.reject(refused) },
  };
  await expect(findDelivery(context, mine, id)).rejects.toBe(refused);
});

test('a delivery is found by its id alone, logged or with an item of its own, by its owner only', async () => {
  const [logged, failed, foreign] = [hookOf(1), hookOf(2), hookOf(3)];
  await Promise.all([own(hookOf(0), mine), own(logged, mine), own(failed, mine), own(foreign, other)]);
  const success = { ...event, ownerId: mine, emitterId, stream: 'default', at: now(), status: 200, ms: 3 };
  await services.successLog.store([{ ...success, webhookId: logged }], now());
  await services.deliveries.create(
    {
      id: deliveryIdOf(event, failed),
      listenerId: failed,
      ownerId: mine,
      emitterId,
      stream: 'default',
      ...event,
      status: 'failed',
      attemptCount: 1,
      scheduleStep: 0,
      messageNumber: 0,
    },
    {},
  );
  await services.successLog.store([{ ...success, ownerId: other, webhookId: foreign }], now());
  expect(await find(deliveryIdOf(event, logged))).toEqual([deliveryIdOf(event, logged), 'delivered', logged]);
  expect(await find(deliveryIdOf(event, failed))).toEqual([deliveryIdOf(event, failed), 'failed', failed]);
  await expect(find(deliveryIdOf(event, foreign))).rejects.toMatchObject(notFound);
  await expect(find(deliveryIdOf(event, failed), other)).rejects.toMatchObject(notFound);
  await expect(find(deliveryIdOf(event, hookOf(0)))).rejects.toMatchObject(notFound);
});
