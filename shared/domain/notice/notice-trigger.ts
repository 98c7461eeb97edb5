import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import { shortHash } from '../event/emit-id.ts';
import type { EmitTrigger } from '../run/message.ts';
import { type Notice, noticeEventOf, type NoticeName } from './notice.ts';
import { noticesIdOf } from './notices-emitter.ts';

/** A quota is daily, so a user reaches it once a day. */
const periodOf = (name: NoticeName): number => (name === 'quota.reached' ? DAY_MS : HOUR_MS);

/**
 * The trigger that emits a notice. Its id follows from subject, name and hour, so that a notice that is sent again, or
 * by several instances, is emitted once.
 */
export function noticeTrigger(notice: Notice, now: number): EmitTrigger {
  const { name, ownerId, subject } = notice;
  const event = noticeEventOf(notice);
  const period = Math.floor(now / periodOf(name));
  return {
    kind: 'emit',
    id: `notice-${period}-${shortHash(`${name}\0${subject.id}`)}`,
    emitterId: noticesIdOf(ownerId),
    ownerId,
    at: now,
    stream: name,
    payload: { json: JSON.stringify(event) },
    emit: { summary: `${event.name}: ${event.what}` },
    hops: 0,
  };
}
