import { errorsTrigger } from './error-event.ts';
import type { SourceId, UserId } from '../id.ts';
import type { EmitTrigger, SourceType } from './message.ts';
import { ERRORS_STREAM } from '../event/stream.ts';
import { dayOf } from '../user/user.ts';

const PREFIX = 'skipped-';

export const isSkipNotice = ({ id, stream }: Pick<EmitTrigger, 'id' | 'stream'>): boolean =>
  stream === ERRORS_STREAM && id.startsWith(PREFIX);

export interface SkipNoticeInput {
  sourceId: SourceId;
  ownerId: UserId;
  why: 'quota_exceeded' | 'storage_full' | 'lagging' | 'rate_exceeded';
  sourceType: SourceType;
  now: number;
}

const REASONS = {
  quota_exceeded:
    'The daily quota, or the share of this source, is used up: timer ticks, requests and events of other emitters are skipped until 00:00 UTC',
  storage_full:
    'As many bytes are stored for the user as limits.storedBytes of the stage allows: timer ticks, requests and events of other emitters are skipped until events or sources are deleted',
  rate_exceeded:
    'More requests arrive than limits.sourceRequestRate or limits.userRequestRate of the stage allows: further ones are refused for up to 10 s',
  lagging:
    '100,000 triggers wait for the source, or it is behind while the queue of all sources is full: requests are refused meanwhile',
};

/** A trigger that emits a skip event on the source's `$errors`; run-source emits one per day. */
export const skipNotice = ({ sourceId, ownerId, why, sourceType, now }: SkipNoticeInput): EmitTrigger =>
  errorsTrigger({
    id: `${PREFIX}${sourceId}-${dayOf(now)}`,
    emitterId: sourceId,
    ownerId,
    sourceType,
    code: why,
    message: REASONS[why],
    now,
  });
