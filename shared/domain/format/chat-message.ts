import { textOfStart } from '../../lib/cut.ts';
import type { OutgoingEvent } from '../delivery/signature.ts';
import { TEST_STREAM } from '../delivery/delivery.ts';
import { NoticeEvent, NoticeName } from '../notice/notice.ts';
import { NOTICE_TITLES } from '../notice/notice-names.ts';
import { isNoticesId } from '../notice/notices-emitter.ts';

/** A message as it is to be read: each app escapes its texts in its own way. */
export interface ChatMessage {
  title: string;
  /** The sentences of a notice. */
  lines: readonly string[];
  /** The JSON of an event that is no notice, or its beginning. */
  json?: string;
}

/** So that a message is within the limits of each app. */
const JSON_BYTES = 2_500;

export function chatMessageOf(event: OutgoingEvent, emitterName: string): ChatMessage {
  const { stream, body } = event;
  const notice = noticeOf(event);
  if (!notice) return { title: `${emitterName}: ${stream}`, lines: [], json: beginningOf(body) };
  const { data: name } = NoticeName.safeParse(stream);
  return {
    title: `${name === undefined ? 'Test' : NOTICE_TITLES[name]}: ${notice.name}`,
    lines: [notice.what, `Since ${notice.since.replace('T', ' ').replace(/(?:\.\d+)?Z$/, ' UTC')}`],
  };
}

/** A test may have the form of a notice, too. */
function noticeOf({ emitterId, stream, body }: OutgoingEvent): NoticeEvent | undefined {
  if (!isNoticesId(emitterId) && stream !== TEST_STREAM) return undefined;
  return NoticeEvent.safeParse(JSON.parse(body.toString())).data;
}

function beginningOf(body: Buffer): string {
  const text = textOfStart(body, JSON_BYTES);
  return body.length > JSON_BYTES ? `${text}…` : text;
}
