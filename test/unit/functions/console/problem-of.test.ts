import { expect, test } from 'vitest';
import type { Account, SourceItem, WebhookItem } from '../../../../functions/console/app/api/wire.ts';
import {
  accountProblem,
  byWeight,
  type Problem,
  sectionsOf,
  sourceProblem,
  webhookProblem,
} from '../../../../functions/console/app/attention/problem-of.ts';
import { account, sourceItem, webhookItem } from '../../../../shared/http/openapi/examples.ts';

const NOW = Date.UTC(2026, 10, 27, 12);
const SINCE = NOW - 3_600_000;
const FAILED = { at_ms: NOW, outcome: 'rejected', status: 500, ms: 5 } as const;

const aWebhook = (more: Partial<WebhookItem> = {}) =>
  ({
    ...webhookItem,
    name: 'orders',
    active: true,
    disabled_reason: null,
    failing_since_ms: null,
    last_attempt: null,
    held_count: 0,
    ...more,
  }) as WebhookItem;
const aSource = (more: Partial<SourceItem> = {}) =>
  ({ ...sourceItem, state: 'active', last_error_ms: null, ...more }) as SourceItem;

test.each([
  ['fails', { failing_since_ms: SINCE, last_attempt: FAILED }, '500', 'since', SINCE, undefined],
  [
    'has no response',
    { failing_since_ms: SINCE, last_attempt: { ...FAILED, outcome: 'timed_out', status: null } },
    'No response in time',
    'since',
    SINCE,
    undefined,
  ],
  [
    'answered 410',
    { active: false, disabled_reason: 'gone', failing_since_ms: SINCE, last_attempt: FAILED, held_count: 3 },
    'Off: it answered 410 Gone',
    'at',
    NOW,
    3,
  ],
  [
    'failed for 5 days',
    { active: false, disabled_reason: 'failing', failing_since_ms: SINCE, held_count: 1 },
    'Off: every delivery failed',
    'since',
    SINCE,
    1,
  ],
  ['is off, and events come', { active: false, disabled_reason: 'owner', held_count: 2 }, 'Off', 'since', null, 2],
] as const)('a webhook that %s needs attention', (_, more, text, relation, ms, held) => {
  const problem = webhookProblem(aWebhook(more as Partial<WebhookItem>));
  expect(problem).toMatchObject({ name: 'orders', text, relation, ms });
  expect(problem?.held).toBe(held);
});

test('a webhook that works, or that is off without deliveries, needs none', () => {
  expect(webhookProblem(aWebhook())).toBeUndefined();
  expect(webhookProblem(aWebhook({ active: false, disabled_reason: 'owner' }))).toBeUndefined();
});

test('the waiting deliveries of a webhook that fails are counted', () => {
  const { id } = webhookItem;
  expect(webhookProblem(aWebhook({ failing_since_ms: SINCE, last_attempt: FAILED }))?.webhookId).toBe(id);
});

test('a source needs attention when a hook failed, and for a day after a failed run', () => {
  expect(sourceProblem(aSource({ state: 'failed', last_error_ms: SINCE }), NOW)).toMatchObject({
    text: 'Off: a hook failed',
    ms: SINCE,
  });
  expect(sourceProblem(aSource({ last_error_ms: SINCE }), NOW)).toMatchObject({
    text: 'Runs failed',
    relation: 'last',
    sourceId: sourceItem.id,
  });
  expect(sourceProblem(aSource({ last_error_ms: NOW - 25 * 3_600_000 }), NOW)).toBeUndefined();
});

test('an account needs attention until it is connected', () => {
  const expired = { ...account, status: 'needs_reconnect', status_reason: 'Revoked.' } as Account;
  expect(accountProblem(expired)).toMatchObject({
    text: 'Needs a new sign-in, last renewed',
    reason: 'Revoked.',
  });
  expect(accountProblem({ ...expired, status: 'connected' })).toBeUndefined();
});

test('webhooks come before accounts, sources and failed runs, however new those are', () => {
  const problem = (kind: Problem['kind'], ms: number, held?: number): Problem => ({
    kind,
    href: `${kind} ${ms}`,
    name: kind,
    text: '',
    relation: 'at',
    ms,
    held,
  });
  const all = [
    problem('runs', 9),
    problem('source', 7),
    problem('account', 8),
    problem('webhook', 3),
    problem('webhook', 4),
    problem('webhook', 1, 5),
  ];
  expect(all.sort(byWeight).map(({ href }) => href)).toEqual([
    'webhook 1',
    'webhook 4',
    'webhook 3',
    'account 8',
    'source 7',
    'runs 9',
  ]);
});

test('the navigation marks the sections of problems, but for runs that failed', () => {
  const problems = [
    webhookProblem(aWebhook({ failing_since_ms: SINCE, last_attempt: FAILED })),
    sourceProblem(aSource({ last_error_ms: SINCE }), NOW),
  ].flatMap((problem) => problem ?? []);
  expect([...sectionsOf(problems)]).toEqual(['/console/webhooks']);
});
