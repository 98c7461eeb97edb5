import { NOTICE_BEHIND_AFTER_MS } from '../../domain/run/backlog-limits.ts';
import type { Notify } from '../../domain/notice/notice.ts';
import { behindNotice } from '../../domain/notice/source-notices.ts';
import type { Source } from '../../domain/source/source.ts';
import type { WaitingTrigger } from '../../store/emitters/waiting-triggers.ts';

export interface NoticeBehindContext {
  notify: Notify;
  now(): number;
}

/** Tells the owner that the oldest trigger of a source has waited for minutes. The service emits one an hour. */
export async function noticeBehind(
  { notify, now }: NoticeBehindContext,
  source: Source | undefined,
  oldest: Pick<WaitingTrigger, 'sentAt'> | undefined,
): Promise<void> {
  const sentAt = oldest?.sentAt;
  if (source && sentAt !== undefined && now() - sentAt >= NOTICE_BEHIND_AFTER_MS)
    await notify(behindNotice(source, sentAt));
}
