import { AwsError, type Input, type Output } from '../../call.ts';
import type { SqsContext } from '../context.ts';
import { optionalInteger, optionalTexts } from '../input.ts';
import { MAX_IN_FLIGHT, VISIBILITY_TIMEOUT } from '../limits.ts';
import type { Message } from '../queue/message.ts';
import type { Queue } from '../queue/queue.ts';
import { receivedMessage, systemAttributesNamed } from '../received-message.ts';
import { BatchGrowth, ReceiveRoom } from '../queue/receive-room.ts';

const COUNT = { from: 1, to: 10, reason: 'Must be between 1 and 10, if provided.' };
const WAIT = { from: 0, to: 20, reason: 'Must be >= 0 and <= 20, if provided.' };

export async function receiveMessage(input: Input, context: SqsContext): Promise<Output> {
  const queue = context.queues.named(input);
  const max = optionalInteger(input, 'MaxNumberOfMessages', COUNT) ?? 1;
  const visibility = optionalInteger(input, 'VisibilityTimeout', VISIBILITY_TIMEOUT) ?? queue.spec.visibilityTimeout;
  const wait = optionalInteger(input, 'WaitTimeSeconds', WAIT) ?? 0;
  if (input['ReceiveRequestAttemptId'] !== undefined) {
    throw new AwsError('UnsupportedOperation', 'ReceiveRequestAttemptId is not supported here.');
  }
  const attributes = systemAttributesNamed(input['MessageSystemAttributeNames'] ?? input['AttributeNames']);
  const names = optionalTexts(input, 'MessageAttributeNames');
  const growth = input['Growth'] instanceof BatchGrowth ? input['Growth'] : undefined;

  const until = context.clock.now() + wait * 1000;
  let taken = takeWithinQuota(queue, { max, growth, visibility, isLongPoll: wait > 0 });
  while (taken.length === 0 && until > context.clock.now() && (await context.waitForMessages(queue, until))) {
    taken = takeWithinQuota(queue, { max, growth, visibility, isLongPoll: true });
  }
  const bytes = taken.reduce((sum, { facts }) => sum + facts.size, 0);
  context.onRequest?.(queue.spec.name, 'ReceiveMessage', taken.length, bytes);
  const Messages = taken.map((message) => receivedMessage(queue, message, { attributes, names }));
  // An empty receive commits, too: it may have moved messages to the dead-letter queue.
  await context.disk.commit();
  return Messages.length === 0 ? {} : { Messages };
}

interface Take {
  max: number;
  growth: BatchGrowth | undefined;
  visibility: number;
  isLongPoll: boolean;
}

function takeWithinQuota(queue: Queue, { max, growth, visibility, isLongPoll }: Take): Message[] {
  const left = MAX_IN_FLIGHT - queue.inFlight;
  const mayGrow = growth !== undefined && growth.messages <= left;
  if (left > 0) return queue.take(new ReceiveRoom(Math.min(max, left), mayGrow ? growth : undefined), visibility);
  if (queue.spec.fifo || isLongPoll) return [];
  throw new AwsError('OverLimit', 'The maximum number of in flight messages is reached.', {
    statusCode: 403,
  });
}
