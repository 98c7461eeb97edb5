import { setTimeout as pause } from 'node:timers/promises';
import { createEventBodyReader } from '../../aws/event-bodies.ts';
import { COMMENT_MS } from '../../domain/live/stream-limits.ts';
import { WorkSteps } from '../../lib/reading/work-steps.ts';
import type { ShowEvent } from '../../service/live/live-batch.ts';
import { createBodyReads } from '../../service/admission/body-reads.ts';
import { SharedChecks } from '../../service/live/shared-checks.ts';
import { StreamPermits } from '../../service/live/stream-permits.ts';
import { Ticker } from '../../service/live/ticker.ts';
import { Watchers } from '../../service/live/watchers.ts';
import { itemWatch } from '../../store/table/item-watch.ts';
import { newestEvents } from '../../store/events/newest-events.ts';
import { streamPermitStore } from '../../store/emitters/run-permits.ts';
import { sourceStore } from '../../store/emitters/sources.ts';
import { storedEventStore } from '../../store/events/stored-events.ts';
import { userLookup } from '../../store/users/users.ts';
import { workflowStore } from '../../store/emitters/workflows.ts';
import { bucketLater, limits, log, now, random, readBudget, table } from './common-wiring.ts';

/** Live streams. The host of the function may tell of new events, by a property of `process`. */
export function liveServices(show: ShowEvent) {
  const watch = itemWatch(process, table().tableName);
  const events = storedEventStore(table(), createEventBodyReader(bucketLater()));
  const reading = {
    readNewest: newestEvents(table()),
    events,
    steps: new WorkSteps(),
    watch,
    show,
    pause: (ms: number) => pause(ms),
    now,
  };
  return {
    ...reading,
    watchers: new Watchers(reading),
    checks: new SharedChecks(watch),
    comments: new Ticker(COMMENT_MS),
    reads: createBodyReads(events, readBudget()),
    permits: new StreamPermits({
      store: streamPermitStore(table(), random),
      limit: limits().liveStreams,
      now,
    }),
    users: userLookup(table()),
    sources: sourceStore(table()),
    workflows: workflowStore(table()),
    log: log('live'),
  };
}
