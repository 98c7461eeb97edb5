import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { sqsClient } from '../../../../shared/aws/clients.ts';
import type { RunTrigger } from '../../../../shared/domain/run/message.ts';
import { LARGEST_INLINE_BYTES } from '../../../../shared/domain/event/payload.ts';
import { type Check, hold } from './claim.ts';
import { mirrored } from './mirror-request.ts';

/** Together just below 1 MiB, the largest request that the service sends. */
const LARGE_TRIGGERS = 5;
const ARRIVES_WITHIN_MS = 60_000;

const fifo: Check = {
  name: 'fifo',
  claim: 'The queue of triggers has high throughput: its limits hold per source, not for the queue.',
  async ask({ operator: { names } }) {
    const { Attributes = {} } = await sqsClient().send(
      new GetQueueAttributesCommand({ QueueUrl: names.runsQueueUrl, AttributeNames: ['All'] }),
    );
    const { FifoThroughputLimit, DeduplicationScope, MaximumMessageSize } = Attributes;
    hold(FifoThroughputLimit === 'perMessageGroupId', `FifoThroughputLimit is ${FifoThroughputLimit}`);
    hold(DeduplicationScope === 'messageGroup', `DeduplicationScope is ${DeduplicationScope}`);
    hold(Number(MaximumMessageSize) === 1_048_576, `MaximumMessageSize is ${MaximumMessageSize}`);
    return `${FifoThroughputLimit}, ${DeduplicationScope}, ${MaximumMessageSize} bytes`;
  },
};

const Seen = z.object({ length: z.number() });

const messages: Check = {
  name: 'messages',
  claim: 'One request to SQS carries 1 MiB of messages.',
  async ask(subject) {
    const { user, id } = await subject.mirror(0);
    const { operator } = subject;
    const length = LARGEST_INLINE_BYTES - 1_000;
    const text = 'x'.repeat(length);
    const triggers = Array.from({ length: LARGE_TRIGGERS }, (_, n): RunTrigger => ({
      kind: 'run',
      id: `${subject.uniqueName()}-${n}`,
      emitterId: id,
      ownerId: user.id,
      at: operator.now(),
      cause: 'api',
      payload: { json: JSON.stringify({ text }) },
      hops: 0,
    }));
    await operator.sendTriggers(triggers);
    const arrived = await subject.until(ARRIVES_WITHIN_MS, async () => {
      const large = (await user.events(id)).filter((event) => Seen.safeParse(event).data?.length === length);
      return large.length >= LARGE_TRIGGERS ? large : undefined;
    });
    hold(arrived !== undefined, `Not all of ${LARGE_TRIGGERS} triggers of ${length} bytes ran`);
    return `${LARGE_TRIGGERS} triggers of ${length} bytes ran`;
  },
};

const Delivered = z.object({ signed: z.literal(true), body: z.object({ path: z.literal('/deliver') }) });
const WebhookResponse = z.object({ data: z.object({ id: z.string() }) });

const delivery: Check = {
  name: 'delivery',
  claim: 'An event reaches a webhook over HTTPS, signed with a secret that KMS keeps.',
  async ask(subject) {
    const [{ user, id }, receiver] = [await subject.mirror(0), await subject.mirror(1)];
    const url = encodeURIComponent(`${receiver.endpoint}/hook`);
    const { data: webhook } = WebhookResponse.parse(await user.expect('POST', `/webhooks?url=${url}`));
    await user.expect('POST', `/subscriptions?emitter_id=${id}&listener_id=${webhook.id}`);
    await mirrored(subject, '/deliver');
    const started = performance.now();
    const arrived = await subject.until(ARRIVES_WITHIN_MS, async () =>
      (await receiver.user.events(receiver.id)).find((event) => Delivered.safeParse(event).success),
    );
    hold(arrived !== undefined, 'No signed delivery arrived');
    return `a signed delivery arrived within ${((performance.now() - started) / 1_000).toFixed(1)} s`;
  },
};

export const queueChecks = [fifo, messages, delivery];
