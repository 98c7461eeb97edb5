import type { DeadLetter } from '../../../shared/aws/letters/dead-letters.ts';
import { DeliveryMessage, JobsMessage, RetriesMessage } from '../../../shared/domain/run/message.ts';
import { parseTrigger } from '../../../shared/domain/run/runs-message.ts';
import type { LetterQueue } from '../queue-names.ts';
import { queueOfScheduled } from '../scheduled-message.ts';

/** The ids in a message, without the event that it carries. */
type Summary = Readonly<Record<string, string | number>>;

const SUMMARIES: Readonly<Record<LetterQueue, (body: string) => Summary>> = {
  runs(body) {
    const { kind, id, emitterId } = parseTrigger(body);
    return { kind, trigger: id, emitter: emitterId };
  },
  deliveries(body) {
    const { emitterId, eventId, emitId } = DeliveryMessage.parse(JSON.parse(body));
    return { kind: 'fan-out', emitter: emitterId, event: eventId, emit: emitId };
  },
  retries(body) {
    const message = RetriesMessage.parse(JSON.parse(body));
    const { kind } = message;
    if (kind === 'heartbeat') return { kind };
    const delivery = 'deliveryId' in message ? { delivery: message.deliveryId } : {};
    return { kind, ...delivery, listener: message.listenerId };
  },
  timers(body) {
    const message = JobsMessage.parse(JSON.parse(body));
    const { kind } = message;
    if (kind === 'flight') return { kind, attempt: message.attemptId };
    if (kind === 'metrics-of-user') return { kind, owner: message.ownerId };
    return 'sourceId' in message ? { kind, emitter: message.sourceId } : { kind };
  },
  schedules(body) {
    const { queue } = queueOfScheduled(body) ?? {};
    return queue === undefined ? { kind: 'unreadable' } : SUMMARIES[queue](body);
  },
};

/** A tick that is late is of no use: every minute makes new ones. */
export function isTickLetter(body: string): boolean {
  const { kind } = summaryOf('timers', body);
  return kind === 'minute' || kind === 'due' || kind === 'heartbeat';
}

export const shown = (queue: LetterQueue, letter: DeadLetter) => {
  const summary = summaryOf(queue, letter.body);
  const kind = String(summary['kind']);
  const reason = kind === 'unreadable' ? 'unreadable' : reasonOf(queue, letter);
  return { queue, message: letter.id, sent_at_ms: letter.sentAt, reason, kind, ...summary };
};

/** Functions set aside what failed 20 times. SQS moves what was received 100 times: it waited, or its function died. */
const reasonOf = (queue: LetterQueue, { wasMoved, attributes }: DeadLetter): string =>
  queue === 'schedules' ? (attributes.get('ERROR_CODE') ?? 'not-sent') : wasMoved ? 'not-completed' : 'failed';

function summaryOf(queue: LetterQueue, body: string): Summary {
  try {
    return SUMMARIES[queue](body);
  } catch {
    return { kind: 'unreadable' };
  }
}
