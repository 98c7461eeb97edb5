import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import { decodeAttributes } from '../../../infra/embedded/dynamodb/values/attribute-value.ts';
import { SCHEDULED_TIME } from '../../../shared/aws/schedules.ts';
import { SourceId, WebhookId } from '../../../shared/domain/id.ts';
import { RetryMessage, type ScheduledTick, JobMessage } from '../../../shared/domain/run/message.ts';
import { parseTrigger } from '../../../shared/domain/run/runs-message.ts';
import { createJobHandler } from '../../../shared/service/timers/handle-job.ts';
import { deliveryWorld } from '../../support/world/deliveries.ts';
import { Receiver } from '../../support/receiver.ts';
import { emits, ended } from '../../support/world/script.ts';
import { openWorld } from '../../support/world/world.ts';
import { kindOf, type Message, type QueueName } from './queue-messages.ts';
import { urlOf } from './recorded-receiver.ts';
import type { Release } from './release-recordings.ts';

const vault = { decrypt: () => Promise.resolve({ secret: `whsec_${Buffer.alloc(32).toString('base64')}` }) };
/** By then retries are due, and no webhook is suspect any more. */
const AFTER_MS = 600_000;
const unused = () => Promise.reject(new Error('No recorded message needs it.'));

/**
 * The table as a release left it at the time of its recording, and the functions of this release. All recorded webhooks
 * are at one receiver.
 */
export async function upgraded({ data, messages }: Release) {
  const stage = await openWorld();
  const receiver = await Receiver.start();
  const world = deliveryWorld(stage, { vault });
  onTestFinished(async () => {
    await world.agent.destroy();
    await receiver.stop();
    await stage.close();
  });
  stage.clock.advance(data.at + AFTER_MS - stage.clock.now());
  const here = JSON.stringify(data.items).replaceAll(urlOf(''), `${new URL(receiver.url).origin}/`);
  const items = z.array(z.record(z.string(), z.unknown())).parse(JSON.parse(here));
  const { dynamo, tableName: TableName } = stage.table;
  for (const item of items) await dynamo.send(new PutCommand({ TableName, Item: decodeAttributes(item) }));
  stage.control.script = (job) => (job.kind === 'run' ? [emits('{"ran":true}'), ended()] : [ended()]);

  const scheduled = data.schedules.map(({ name, queue, input }) => ({
    name,
    queue,
    message: JSON.parse(input.replaceAll(SCHEDULED_TIME, new Date(data.at).toISOString())) as Message,
  }));
  const idOf = (role: string) => data.ids[role] ?? expect.fail(`no ${role} is recorded`);
  /** Messages of one kind, at least one. */
  function sent(queue: QueueName, kind: string): [Message, ...Message[]] {
    const [first, ...others] = [...data.waiting, ...scheduled, ...messages].filter(
      (each) => each.queue === queue && kindOf(each.message) === kind,
    );
    return [first?.message ?? expect.fail(`no ${kind}`), ...others.map(({ message }) => message)];
  }
  const timers: JobMessage[] = [];
  const ticks: ScheduledTick[] = [];
  const forward = createJobHandler({
    sendTicks: (all) => Promise.resolve(void ticks.push(...all)),
    sendJobs: (all) => Promise.resolve(void timers.push(...all.map(({ message }) => message))),
    oauthFunction: { drop: unused, renewIdle: unused },
    metricsJob: { ofUsers: unused, ofUser: unused },
    now: () => stage.clock.now(),
  });

  return {
    stage,
    receiver,
    world,
    sent,
    /** Messages to `timers`, and ticks, that timers have sent. */
    timers,
    ticks,
    source: (role: string) => SourceId.parse(idOf(role)),
    webhook: (role: string) => WebhookId.parse(idOf(role)),
    /** The message that the schedule whose name begins so sends. */
    ofSchedule: (name: string): Message =>
      scheduled.find((each) => each.name.startsWith(name))?.message ?? expect.fail(`no schedule ${name}`),
    forward: (message: Message) => forward(JobMessage.parse(message)),
    async retry(kind: string) {
      for (const message of sent('retries', kind)) await world.retry(RetryMessage.parse(message));
    },
    async run(message: object) {
      const result = await stage.execute(stage.received([parseTrigger(JSON.stringify(message))]));
      expect(result).toEqual({ completed: 1 });
    },
    events: async (id: SourceId, stream = 'default') =>
      (await stage.services.events.latest(id, stream)).map(({ json }) => JSON.parse(json) as unknown),
    bodies: () => receiver.received.map(({ body }) => body),
  };
}
