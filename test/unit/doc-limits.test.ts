import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSettings } from '../../bin/settings.ts';
import { KEPT_BYTES } from '../../shared/aws/deliver-http.ts';
import { LONGEST_CONNECTION_MS, READ_BYTES, SOCKETS_PER_ORIGIN } from '../../shared/aws/delivery-agent.ts';
import { retryDelayMs } from '../../shared/client/retry-delay.ts';
import { TOLERANCE_SECONDS } from '../../shared/client/webhook-signature.ts';
import { DAY_MS } from '../../shared/lib/durations.ts';
import { LARGEST_EMITTED_BYTES } from '../../shared/domain/event/emitted-bytes.ts';
import { defaultLimits as run } from '../../shared/domain/run-limits.ts';
import { delayAfter } from '../../shared/domain/delivery/retry-schedule.ts';
import { defaultUserLimits, MAX_STREAMS, MAX_EVENTS_PER_ITEM } from '../../shared/domain/limits.ts';
import { SUMMARY_BYTES } from '../../shared/domain/event/truncation.ts';
import { DEFAULT_SHARE } from '../../shared/service/admission/synchronous-share.ts';
import { WRITE_INTERVAL_MS } from '../../shared/service/delivery/attempt-counts.ts';
import { MAX_UNDER_WAY, START_WAIT_MS, USUAL_UNDER_WAY } from '../../shared/service/fan-out/fan-out.ts';
import { CONNECTION_WAIT_MS } from '../../shared/service/fan-out/first-attempt.ts';
import { FIRST_PACE, LARGEST_PACE } from '../../shared/service/retries/paced-attempts.ts';
import { SUSPECT_MS } from '../../shared/service/fan-out/suspects.ts';
import { SLOW_MS } from '../../shared/domain/webhook/slowness.ts';
import { MAX_SLOW } from '../../shared/service/fan-out/unanswered-attempts.ts';
import { MAX_HELD } from '../../shared/service/delivery/held-limit.ts';
import { FIRST_TIMEOUT_MS, LATER_TIMEOUT_MS } from '../../shared/service/delivery/http-target.ts';
import { KEPT_ATTEMPTS } from '../../shared/store/deliveries/delivery-attempts.ts';
import { CLAIM_MS } from '../../shared/store/deliveries/delivery-changes.ts';
import { DELIVERY_LIFETIME_MS, LONGEST_HELD_MS } from '../../shared/store/deliveries/delivery-item.ts';
import { LOG_LIFETIME_MS, LONGEST_SPAN_MS, MAX_DELIVERIES } from '../../shared/store/deliveries/delivery-log-item.ts';
import { ORPHAN_MS } from '../../shared/store/deliveries/delivery-lists.ts';

/*
 * Limits and times that the pages name, from the code that keeps them. Other tests hold the tables of components,
 * stages and costs.
 */

const seconds = (ms: number): string => `${ms / 1_000} s`;
const days = (ms: number): string => `${ms / DAY_MS} days`;
const kb = (bytes: number): string => `${bytes / 1_024} KB`;
const count = (value: number): string => value.toLocaleString('en');
const { limits, warmRunners } = readSettings({}).stage;

const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];
function durationOf(ms: number): string {
  const [unitMs, unit] = UNITS.find(([each]) => ms >= each) ?? expect.fail(`${ms} ms`);
  return `${ms / unitMs} ${unit}`;
}

/** The delays before attempts 2, 3 …, without jitter. */
function delays(): string[] {
  const failed = { retrySeconds: null, timedOut: false, random: 0.5 };
  const each = Array.from({ length: 20 }, (_, n) => delayAfter({ ...failed, attempt: n + 1 }));
  return each.filter((ms) => ms !== undefined).map(durationOf);
}

/** The longest waits of the client before its second, third … attempt. */
function clientDelays(): string[] {
  const failed = {
    method: 'GET',
    status: 503,
    code: undefined,
    retryAfter: undefined,
  };
  return Array.from({ length: 10 }, (_, earlier) => retryDelayMs({ ...failed, earlier }, { now: 0, random: 1 }))
    .filter((ms) => ms !== undefined)
    .map(seconds);
}

const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  'docs/delivery.md': [
    `| at once | ${delays().join(' | ')} |`,
    `An attempt succeeds with a 2xx response within ${seconds(LATER_TIMEOUT_MS)}. The first attempt has ${seconds(FIRST_TIMEOUT_MS)}; after a timeout the next attempt has ${seconds(LATER_TIMEOUT_MS)}.`,
    `At most ${kb(READ_BYTES)} of a response are read, and at most ${kb(KEPT_BYTES)} of it is decoded and kept.`,
    `_suspect_ for ${seconds(SUSPECT_MS)} from the start`,
    `A process makes at most ${count(MAX_UNDER_WAY)} first attempts at a time. Further deliveries wait up to ${seconds(START_WAIT_MS)};`,
    `One origin gets at most ${SOCKETS_PER_ORIGIN} connections.`,
    `not made if its webhook fails meanwhile, or after ${seconds(CONNECTION_WAIT_MS)}:`,
    `While ${MAX_SLOW} first attempts of a webhook have had no complete response for ${seconds(SLOW_MS)} in one process`,
    `Its drain sends them, ${FIRST_PACE} to ${LARGEST_PACE} at a time.`,
    `At most ${count(MAX_HELD)} of a webhook are held, for ${days(LONGEST_HELD_MS)}.`,
    `(the first one and the last ${KEPT_ATTEMPTS - 1})`,
  ],
  'docs/architecture.md': [
    `\`fan-out.ts\` has ${count(MAX_UNDER_WAY)} permits per process`,
    `A batch of events gets its permits while fewer than ${count(USUAL_UNDER_WAY.permits)} are taken. With more, it waits up to ${seconds(USUAL_UNDER_WAY.waitMs)} for some to end:`,
  ],
  'docs/data-model.md': [
    `1 write unit for up to ${MAX_DELIVERIES} deliveries`,
    `It spans at most ${seconds(LONGEST_SPAN_MS)} of deliveries`,
    `A first attempt that takes longer than ${seconds(SLOW_MS)} makes the item meanwhile`,
    `the delivery is claimed for ${seconds(CLAIM_MS)}`,
    `Items of the log expire after ${days(LOG_LIFETIME_MS)}, other deliveries ${days(DELIVERY_LIFETIME_MS)} after their last change`,
    `at most ${MAX_EVENTS_PER_ITEM} whose ids span`,
    `An event of more than ${count(SUMMARY_BYTES)} bytes is a summary`,
    `An instance writes them every ${seconds(WRITE_INTERVAL_MS)} at most`,
  ],
  'docs/components.md': [
    `At most ${DEFAULT_SHARE.perUser} synchronous runs of one user run at the same time`,
    `Further requests wait up to ${seconds(DEFAULT_SHARE.waitMs)} for a permit`,
    `A user may save ${count(defaultUserLimits.components)} components`,
    `A source may emit on ${count(MAX_STREAMS)} streams`,
  ],
  'docs/isolation.md': [
    `| ${seconds(run.timeoutMs)} (25 s with \`customResponse\`;`,
    `| ${run.memoryMb} MB, inside and outside the heap`,
    `| ${kb(run.dbBytes)} of JSON`,
    `| ${count(run.emits)}, or ${LARGEST_EMITTED_BYTES / 2 ** 20} MB in all`,
    `| ${count(MAX_STREAMS)} per source or workflow`,
  ],
  'docs/errors.md': [
    `\`$.service.db\` would exceed ${kb(run.dbBytes)}.`,
    `The emitter has ${count(MAX_STREAMS)} streams`,
    `An event would exceed ${run.eventBytes / 2 ** 20} MiB of JSON.`,
  ],
  'docs/stages.md': [
    `\`npm start\` allows ${count(limits.userRequestRate)} requests per second to endpoints, ${count(limits.freeInvocations)} runs, ${count(limits.freeComputeMs)} ms of compute time, ${limits.concurrentRuns} long runs and ${limits.liveStreams} live streams of a user at the same time and ${count(limits.components)} components, and keeps ${warmRunners} idle processes.`,
  ],
  'docs/client.md': [
    `else ${clientDelays()
      .join(', ')
      .replace(/, ([^,]*)$/, ' and $1')}, shortened`,
    `sends a request at most five times (\`retries: ${clientDelays().length}\`)`,
    `more than ${TOLERANCE_SECONDS} s older or newer`,
  ],
};

/** Minutes are words in prose. */
test('docs/delivery.md and docs/data-model.md: connections and orphans', () => {
  expect([LONGEST_CONNECTION_MS, ORPHAN_MS]).toEqual([60_000, 120_000]);
  expect(textOf('docs/delivery.md')).toContain('A connection is kept for at most a minute');
  expect(textOf('docs/data-model.md')).toContain('remove them after two minutes');
});

/** Lines are wrapped, and the cells of tables have padding. */
const textOf = (page: string): string => readFileSync(page, 'utf8').replace(/\s+/g, ' ');

const all = Object.entries(SENTENCES).flatMap(([page, texts]) => texts.map((text) => ({ page, text })));
test.each(all)('$page: $text', ({ page, text }) => {
  expect(textOf(page)).toContain(text);
});
