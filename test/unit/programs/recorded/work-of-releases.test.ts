import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { DeliveryMessage, RetryMessage } from '../../../../shared/domain/run/message.ts';
import { componentStore } from '../../../../shared/store/emitters/components.ts';
import { deliveriesPartition, recoveryKey, sourceKey } from '../../../../shared/store/table/keys.ts';
import { subscriptionStore } from '../../../../shared/store/subscriptions/subscriptions.ts';
import { releases } from '../../../programs/recorded/release-recordings.ts';
import { upgraded } from '../../../programs/recorded/upgraded.ts';

const DAY_MS = 86_400_000;

describe.each(releases)('after an upgrade from $version', (release) => {
  test('stored objects are listed', async () => {
    const { stage, world, source } = await upgraded(release);
    const { ownerId } = (await stage.sources.find(source('echo'))) ?? expect.fail();
    const request = { limit: 100 };
    expect(await stage.users.find(ownerId)).toMatchObject({ username: 'admin', plan: 'free' });
    expect((await stage.sources.list(ownerId, request)).items).toHaveLength(6);
    expect((await world.webhooks.list(ownerId, request)).items).toHaveLength(3);
    expect((await componentStore(stage.table).list(ownerId, request)).items).toHaveLength(4);
    expect(await subscriptionStore(stage.table).list(ownerId)).toHaveLength(3);
    expect(await stage.services.usages.ofDay(ownerId, release.data.at)).toMatchObject({ invocations: 5 });
  });

  test('a delivery that waits for a retry is delivered once', async () => {
    const { retry, bodies, world, webhook } = await upgraded(release);
    await retry('retry');
    expect(bodies()).toEqual(['{"kept":"retry"}']);
    expect(await world.listed({ id: webhook('failing') })).toMatchObject([{ status: 'delivered' }]);
  });

  test('a redelivery that was requested is made', async () => {
    const { retry, bodies, sent, world } = await upgraded(release);
    const message = RetryMessage.parse(sent('retries', 'redeliver')[0]);
    if (message.kind !== 'redeliver') return expect.fail();
    const delivery = await world.deliveries.find(message.listenerId, message.deliveryId);
    const request = { request: message.request, requestedAt: [] };
    expect(await world.deliveries.request(delivery ?? expect.fail(), request)).toBe(true);
    await retry('redeliver');
    expect(bodies()).toEqual(['{"kept":"retry"}']);
  });

  test('a recovery goes on, and ends', async () => {
    const { retry, bodies, world, webhook } = await upgraded(release);
    await retry('recover');
    expect(bodies()).toEqual(['{"kept":"recovery","n":1}']);
    const recovery = await world.retryServices.recoveries.find(webhook('recovering'));
    expect(recovery).toMatchObject({ status: 'done', sent: 1 });
  });

  test('messages of a chunk that a recovery has passed stay void', async () => {
    const { bodies, sent, stage, webhook, world } = await upgraded(release);
    await stage.table.dynamo.send(
      new UpdateCommand({
        TableName: stage.table.tableName,
        Key: recoveryKey(webhook('recovering')),
        UpdateExpression: 'SET part = :part',
        ExpressionAttributeValues: { ':part': 1 },
      }),
    );
    const [passed] = sent('retries', 'recover');
    await world.retry(RetryMessage.parse(passed));
    expect(bodies()).toEqual([]);
    await world.retry(RetryMessage.parse({ ...passed, part: 1 }));
    expect(bodies()).toHaveLength(1);
  });

  test('probe and drain find the webhook, and held deliveries stay held', async () => {
    const { retry, bodies, world, webhook } = await upgraded(release);
    for (const kind of ['probe', 'drain', 'hold']) await retry(kind);
    expect(world.retries).toEqual([{ message: { kind: 'drain', listenerId: webhook('failing') }, delaySeconds: 0 }]);
    expect(await world.listed({ id: webhook('held') })).toMatchObject([{ status: 'held' }]);
    expect(bodies()).toEqual([]);
  });

  test('an active webhook that is switched off holds what waits for it', async () => {
    const { world, webhook } = await upgraded(release);
    const id = webhook('failing');
    await world.webhooks.change((await world.webhooks.find(id)) ?? expect.fail(), { active: false });
    await world.retry({ kind: 'hold', listenerId: id });
    expect(await world.listed({ id })).toMatchObject([{ status: 'held' }]);
  });

  test('the schedule of a webhook keeps its newest deliveries', async () => {
    const { stage, ofSchedule, webhook, world } = await upgraded(release);
    const id = webhook('failing');
    stage.clock.advance(25 * DAY_MS);
    await world.retry(RetryMessage.parse(ofSchedule(`keep-${id}`)));
    const { Items } = await stage.table.dynamo.send(
      new QueryCommand({
        TableName: stage.table.tableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': deliveriesPartition(id) },
      }),
    );
    const [{ expiresAt } = expect.fail('no delivery')] = z.array(z.object({ expiresAt: z.number() })).parse(Items);
    expect(expiresAt * 1_000).toBeGreaterThan(release.data.at + 50 * DAY_MS);
  });

  test('an event that was stored is delivered', async () => {
    const { sent, bodies, world } = await upgraded(release);
    for (const message of sent('deliveries', 'delivery').filter(({ after }) => after === undefined))
      await world.deliver([DeliveryMessage.parse(message)]);
    expect(bodies()).toEqual(['{"sample":true}']);
  });

  test('a trigger in flight runs, with its event', async () => {
    const { run, sent, stage, events, source } = await upgraded(release);
    await run(sent('runs', 'run')[0]);
    expect(stage.requests[0]?.jobs).toMatchObject([{ event: expect.stringContaining('bodyRaw'), body: 'json' }]);
    expect(await events(source('slow'))).toEqual([{ ran: true }]);
    expect(stage.deliveries).toMatchObject([{ emitterId: source('slow'), payload: { json: '{"ran":true}' } }]);
  });

  test('a delayed emit that is due is emitted, and waits no longer', async () => {
    const { run, ofSchedule, events, source, stage } = await upgraded(release);
    await run(ofSchedule('in-'));
    expect((await events(source('echo')))[0]).toMatchObject({ kept: 'delayed' });
    expect(await events(source('echo'), '$in')).toEqual([]);
    expect(stage.deliveries).toMatchObject([{ payload: { json: expect.stringContaining('delayed') } }]);
  });

  test('the emit of a workflow or source is stored', async () => {
    const { run, sent, events, source } = await upgraded(release);
    const emit = sent('runs', 'emit').find(({ delayedEventId }) => delayedEventId === undefined);
    await run(emit ?? expect.fail());
    expect((await events(source('echo')))[0]).toEqual({ sample: true });
  });

  test('timers tick, those of whole minutes and the others', async () => {
    const { run, forward, ofSchedule, sent, events, source, timers, ticks } = await upgraded(release);
    const [hourly, often] = [source('hourly'), source('often')];
    await run(ofSchedule(`timer-${hourly}`));
    expect(await events(hourly)).toEqual([{ ran: true }]);

    await forward(ofSchedule(`timer-${often}`));
    expect(timers.map(({ kind }) => kind)).toEqual(Array(4).fill('due'));
    for (const message of [...timers, sent('timers', 'due')[0]]) await forward(message);
    const before = (await events(often)).length;
    for (const tick of ticks) await run(tick);
    expect(await events(often)).toHaveLength(before + 5);
  });

  test('the deletion of events removes them', async () => {
    const { run, sent, events, source } = await upgraded(release);
    expect(await events(source('echo'))).toHaveLength(1);
    await run(sent('runs', 'delete-events')[0]);
    expect(await events(source('echo'))).toEqual([]);
  });

  test('the purge of a deleted source removes it, that of another is dropped', async () => {
    const { run, sent, source, stage } = await upgraded(release);
    const [purge] = sent('runs', 'purge');
    await run(purge);
    const { id } = (await stage.sources.find(source('echo'))) ?? expect.fail('the source is gone');
    await stage.table.dynamo.send(
      new UpdateCommand({
        TableName: stage.table.tableName,
        Key: sourceKey(id),
        UpdateExpression: 'SET #state = :state',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':state': 'deleting' },
      }),
    );
    await run(purge);
    expect(await stage.sources.find(id)).toBeUndefined();
  });

  test('the lifecycle trigger of a revision that is done changes nothing', async () => {
    const { run, sent, source, stage } = await upgraded(release);
    const before = await stage.sources.find(source('echo'));
    await run(sent('runs', 'lifecycle')[0]);
    expect(await stage.sources.find(source('echo'))).toEqual(before);
  });
});
