import { payloadText } from '../../aws/payloads.ts';
import type { Bucket } from '../../aws/bucket.ts';
import { acceptNotices } from '../../domain/notice/accept-notices.ts';
import { chainOf } from '../../domain/run/chain.ts';
import type { EmitTrigger } from '../../domain/run/message.ts';
import type { Emitter } from '../../store/emitters/emitters.ts';
import type { UserLookup } from '../../store/users/users.ts';
import type { Commit } from '../commit/commit.ts';
import { eventContextOf } from './error-context.ts';
import type { Planned } from '../commit/number-events.ts';
import type { Group, Received } from '../../domain/run/received-trigger.ts';

export interface NoticesContext {
  users: Pick<UserLookup, 'find'>;
  bucket: Pick<Bucket, 'getText'>;
  commit: Commit;
  /** Writes one log line. */
  log(message: string, fields: Readonly<Record<string, string | number>>): void;
  now(): number;
}

export interface NoticeReceived extends Received {
  trigger: EmitTrigger;
}

/** Emits the notices of a user that were not emitted before. Those of a deleted user are dropped. */
export async function executeNotices(
  { users, bucket, commit, log, now }: NoticesContext,
  {
    group,
    emitter: { state },
    received,
  }: {
    group: Group;
    emitter: Emitter;
    received: readonly NoticeReceived[];
  },
): Promise<void> {
  const [first] = received;
  const last = received.at(-1);
  if (!first || !last) return;
  const { ownerId } = first.trigger;
  if (!(await users.find(ownerId))) return;
  const named = received.map((item) => ({ id: item.trigger.id, name: item.trigger.stream, item }));
  const { accepted, leftOut, dedupe, noticeCounts } = acceptNotices(state, named, now());
  if (leftOut > 0) log('notices.left_out', { owner: ownerId, count: leftOut });
  if (accepted.length === 0) return;
  const planned = await Promise.all(accepted.map(({ item }) => plannedOf(item, bucket)));
  await commit({
    batch: group.batch,
    emitterId: group.emitterId,
    ownerId,
    state,
    planned,
    dedupe,
    usage: { invocations: 0, computeMs: 0 },
    changes: {
      done: { queue: group.queue, sequence: last.sequence },
      noticeCounts,
    },
  });
}

async function plannedOf(
  { trigger, firstReceivedAt }: NoticeReceived,
  bucket: Pick<Bucket, 'getText'>,
): Promise<Planned> {
  const { id, stream, emit, payload } = trigger;
  const json = payload && (await payloadText(bucket, payload));
  return {
    triggerId: id,
    firstMs: firstReceivedAt,
    chain: chainOf(trigger),
    context: eventContextOf(trigger, json ?? '{}'),
    events: json === undefined ? [] : [{ stream, json, identity: id, summary: emit?.summary }],
  };
}
