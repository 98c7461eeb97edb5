import * as z from 'zod';
import { recordOf } from '../../../infra/embedded/targets.ts';
import type { DeadLetter } from '../../../shared/aws/letters/dead-letters.ts';
import { arnPartsOf, targetKind, targetOfArn } from '../../../shared/domain/target/aws-target.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import { operatorCommand } from '../operator-command.ts';
import { receiveAll } from './dead-letter-commands.ts';

export const showTarget = operatorCommand({
  usage: 'targets <arn>',
  role: 'read',
  about:
    'Show what a bus or a queue of the service on this machine got in the last hour; of a FIFO queue ten messages of each emitter.',
  stackRefusal: 'On AWS the rules of a bus and the consumers of a queue read them.',
  input: z.strictObject({ arn: z.string() }),
  examples: [
    ['tributary admin targets arn:aws:events:us-east-1:000000000000:event-bus/default', 'the events of the bus'],
    ['tributary admin targets arn:aws:sqs:us-east-1:000000000000:target --json', 'the messages of the queue as JSON'],
  ],
  run: async ({ names, messagesAt }, { arn }) => {
    const target = targetOfArn(arn);
    const parts = target && arnPartsOf(target);
    if (!parts) throw refusedFailure(`${arn} is not the ARN of an event bus or of a queue.`);
    const { patterns } = names.targetRule;
    if (!patterns.includes(arn)) throw refusedFailure(`There are ${patterns.join(', ') || 'no targets'}.`);
    // A queue records the events of a bus.
    const name = target.kind === 'queue' ? parts.name : recordOf(parts.name);
    const queue = messagesAt(targetKind({ kind: 'queue' }).urlOf({ ...parts, name }));
    const letters = await receiveAll(queue);
    await queue.release(letters);
    const received = letters.sort((a, b) => a.sentAt - b.sentAt).map(receivedOf);
    return { json: received, text: received.map((each) => JSON.stringify(each)).join('\n') };
  },
});

const receivedOf = ({ sentAt, groupId, attributes, body }: DeadLetter) => ({
  received_at_ms: sentAt,
  group: groupId ?? null,
  attributes: Object.fromEntries(attributes),
  body,
});
