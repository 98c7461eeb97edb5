import * as z from 'zod';
import { cut } from '../../lib/cut.ts';
import type { UserId } from '../id.ts';
import { NOTICE_NAMES } from './notice-names.ts';
import { invalidField } from '../check.ts';

export const NoticeName = z.enum(NOTICE_NAMES);
export type NoticeName = z.infer<typeof NoticeName>;

export const NoticeEvent = z.object({
  /** The id of the source, webhook, account or user that the notice is about. */
  id: z.string(),
  name: z.string(),
  /** One sentence that says what happened. */
  what: z.string(),
  /** ISO 8601. */
  since: z.string(),
});
export type NoticeEvent = z.infer<typeof NoticeEvent>;

/** A fact that a user is told once an hour. */
export interface Notice {
  name: NoticeName;
  ownerId: UserId;
  subject: { id: string; name: string };
  what: string;
  /** Epoch ms. */
  since: number;
}

/** Tells the user of a notice; never throws. */
export type Notify = (notice: Notice) => Promise<void>;

const LONGEST_NAME = 255;
/** In characters: an event of this length is one item of 1 KB. */
const LONGEST_WHAT = 300;

/** The event of a notice; its message has a limited size, whatever the texts. */
export const noticeEventOf = ({ subject, what, since }: Notice): NoticeEvent => ({
  id: subject.id,
  name: cut(subject.name, LONGEST_NAME),
  what: cut(what, LONGEST_WHAT),
  since: new Date(since).toISOString(),
});

/** Refuses a stream that no notice is on: a subscription to it would never deliver anything. */
export function checkNoticeStream(eventName: string): void {
  if (NoticeName.safeParse(eventName).success) return;
  const message = `must be one of ${NoticeName.options.join(', ')}`;
  throw invalidField('event_name', message, 'The event_name of notices');
}
