import * as z from 'zod';
import { headersByName } from '../../lib/header-list.ts';
import { deliveryHeaders } from '../delivery/signature.ts';
import { domainOf, partsOf, type TargetEvent, type TargetKind, unconfirmed } from './target-kind.ts';

/** Headers of a webhook's request that a message has as attributes. */
const ATTRIBUTES = new Set([
  'webhook-id',
  'x-tributary-emitter',
  'x-tributary-event-name',
  'x-tributary-event-id',
  'traceparent',
]);

function attributesOf(event: TargetEvent): Record<string, { DataType: 'String'; StringValue: string }> {
  const headers = Object.entries(headersByName(deliveryHeaders(event, { keys: [], body: event.body, now: event.now })));
  return Object.fromEntries(
    headers
      .filter(([name]) => ATTRIBUTES.has(name))
      .map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
  );
}

/** Each requested attempt has an id of its own, because SQS drops a message whose id it had within five minutes. */
const fifoMembers = ({ emitterId, emitId, repetition }: TargetEvent) => ({
  MessageDeduplicationId: repetition === undefined ? emitId : `${emitId}.${repetition}`,
  MessageGroupId: emitterId,
});

const Sent = z.object({ MessageId: z.string() });

/** A queue of Amazon SQS. */
export const queue: TargetKind = {
  noun: 'a queue of SQS',
  service: 'sqs',
  operation: 'SendMessage',
  arn: /^arn:(aws[a-z-]*):sqs:([a-z]+(?:-[a-z]+)+-\d+):(\d{12}):([\w-]{1,80}(?:\.fifo)?)$/,
  urlOf: ({ region, account, name, ...arn }) => `https://sqs.${region}.${domainOf(arn)}/${account}/${name}`,
  inputOf(arn, event) {
    const parts = partsOf(queue, arn);
    return {
      QueueUrl: parts === undefined ? '' : queue.urlOf(parts),
      MessageBody: event.body.toString(),
      MessageAttributes: attributesOf(event),
      ...(arn.endsWith('.fifo') ? fifoMembers(event) : {}),
    };
  },
  refusalIn: (output) => (Sent.safeParse(output).success ? undefined : unconfirmed('SQS')),
};
