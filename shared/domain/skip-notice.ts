import { errorEvent } from './error-event.ts';
import type { SourceId, UserId } from './id.ts';
import { type EmitTrigger, type SourceType } from './message.ts';
import { ERRORS_STREAM } from './stream.ts';
import { dayOf } from './user.ts';

const PREFIX = 'skipped-';

export const isSkipNotice = ({ id, stream }: Pick<EmitTrigger, 'id' | 'stream'>): boolean =>
  stream === ERRORS_STREAM && id.startsWith(PREFIX);

export interface Skipped {
  sourceId: SourceId;
  ownerId: UserId;
  why: 'quota_exceeded' | 'lagging';
  sourceType: SourceType;
  now: number;
}

const REASONS = {
  quota_exceeded:
    'The daily quota is used up: timers, requests and events of others are skipped until 00:00 UTC',
  lagging:
    'The source is more than a minute behind: requests and events of others are skipped until it has caught up',
};

/** Tells a source's `$errors` that something was skipped; whoever carries it out lets one a day through. */
export const skipNotice = ({ sourceId, ownerId, why, sourceType, now }: Skipped): EmitTrigger => {
  const id = `${PREFIX}${sourceId}-${dayOf(now)}`;
  return {
    kind: 'emit',
    id,
    emitterId: sourceId,
    ownerId,
    at: now,
    stream: ERRORS_STREAM,
    payload: {
      json: errorEvent(
        { runId: id, at: now, sourceType, ownerId, sourceId, originalEvent: '{}' },
        { code: why, name: 'Error', message: REASONS[why], stack: '' },
        now,
      ),
    },
    hops: 0,
  };
};
