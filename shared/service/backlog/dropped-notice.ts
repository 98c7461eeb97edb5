import { errorsTrigger } from '../../domain/run/error-event.ts';
import { LONGEST_WAIT_MS, NOTICE_BEHIND_AFTER_MS } from '../../domain/run/backlog-limits.ts';
import type { SourceType } from '../../domain/run/message.ts';
import type { Group, GroupResult } from '../../domain/run/received-trigger.ts';
import { DAY_MS } from '../../lib/durations.ts';
import type { Executing } from './drain-progress.ts';
import type { Notify } from '../../domain/notice/notice.ts';
import { behindNotice } from '../../domain/notice/source-notices.ts';
import type { Source } from '../../domain/source/source.ts';
import type { WaitingTrigger } from '../../store/emitters/waiting-triggers.ts';

interface ReportContext {
  execute(group: Group): Promise<GroupResult>;
  now(): number;
}

/** Emits how many triggers were dropped since the last report. A crash in between repeats the report. */
export async function reportDropped(context: ReportContext, executing: Executing): Promise<void> {
  const { progress } = executing;
  await emitError(context, executing, {
    name: 'expired',
    code: 'triggers_expired',
    message: `Triggers that waited for more than ${LONGEST_WAIT_MS / DAY_MS} days were dropped: ${progress.dropped}`,
    sourceType: 'source',
  });
  await progress.reported();
}

/** Emits how many triggers the owner had dropped; nothing when none waited. A crash in between repeats the report. */
export async function reportDeleted(context: ReportContext, executing: Executing): Promise<void> {
  const { progress } = executing;
  if (progress.deleted !== undefined && progress.deleted > 0)
    await emitError(context, executing, {
      name: 'dropped',
      code: 'triggers_dropped',
      message: `Triggers that waited were dropped on request: ${progress.deleted}`,
      sourceType: 'api',
    });
  await progress.deletionReported();
}

interface Report {
  /** Part of the id of the event's trigger. */
  name: string;
  code: string;
  message: string;
  sourceType: SourceType;
}

async function emitError(
  context: ReportContext,
  { group, received, progress }: Executing,
  { name, code, message, sourceType }: Report,
): Promise<void> {
  const { emitterId, ownerId } = received.trigger;
  const now = context.now();
  const id = `${name}-${emitterId}-${progress.position}`;
  const trigger = errorsTrigger({ id, emitterId, ownerId, sourceType, code, message, now });
  const { error } = await context.execute({
    ...group,
    received: [{ trigger, sequence: '0', sentAt: now, firstReceivedAt: progress.firstMs, receiveCount: 1 }],
    ignoresProgress: true,
  });
  if (error !== undefined) throw error;
}

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
