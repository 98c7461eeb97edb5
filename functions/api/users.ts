import { noticesIdOf } from '../../shared/domain/notice/notices-emitter.ts';
import { billingPeriod } from '../../shared/domain/user/billing-period.ts';
import { all, finished, one, pageWith } from '../../shared/http/api-response.ts';
import { createHealth, withHealth } from '../../shared/http/health/health-check.ts';
import { showAuditEntry } from '../../shared/http/audit/show-audit.ts';
import { invalidKey } from '../../shared/domain/user/key-refusals.ts';
import { serve } from '../../shared/http/serve.ts';
import { userServices } from '../../shared/lambda/wiring/api-wiring.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { users as routes } from '../../shared/http/routes/user-routes.ts';
import { showActivity } from '../../shared/http/show/show.ts';
import { showMetrics } from '../../shared/http/metrics/show-metrics.ts';
import { showFreeUser, showPaidUser } from '../../shared/http/show/show-user.ts';
import { readSeveralMetrics } from '../../shared/service/metric-reads/read-metrics.ts';
import { encodeCursor } from '../../shared/store/table/cursor.ts';
import { keyOperations } from './keys.ts';

const services = userServices();
const { users, activity, usages, auditLog, limits, now } = services;

const docs = () => import('../../shared/http/docs/docs.ts');

const userOperations = {
  getUser: operation(routes.getUser, async ({ caller }) => {
    const user = await users.find(caller.userId);
    // A deleted user's key stays in the authenticator's cache for up to a minute.
    if (!user) throw invalidKey();
    const at = now();
    if (user.plan === 'free') {
      return one(showFreeUser(user, { limits, apiKey: caller.apiKey, used: await usages.ofDay(user.id, at) }));
    }
    const period = billingPeriod(at, user.paidSince ?? user.createdAt);
    return one(showPaidUser(user, { period, invocations: await usages.ofPeriod(user.id, period) }));
  }),

  getActivity: operation(routes.getActivity, async ({ input: { minutes }, caller: { userId } }) =>
    all((await activity.read(userId, { minutes, now: now() })).map(showActivity)),
  ),

  getNotices: operation(routes.getNotices, ({ caller: { userId } }) =>
    Promise.resolve(one({ id: noticesIdOf(userId) })),
  ),

  getAudit: operation(routes.getAudit, async ({ input, caller: { userId } }) => {
    const { limit, after, before, ...filter } = input;
    const { items, totalCount, start, end } = await auditLog.page(userId, {
      request: { limit, after, before },
      filter,
      now: now(),
    });
    const cursorOf = (number: number | undefined): string | null =>
      number === undefined ? null : encodeCursor({ list: 'changes', ownerId: userId }, String(number));
    return pageWith(items, {
      totalCount,
      startCursor: cursorOf(start),
      endCursor: cursorOf(end),
      show: showAuditEntry,
    });
  }),

  getMetrics: operation(
    routes.getMetrics,
    async ({ input: { source_id: sourceIds, webhook_id: webhookIds, ...wanted }, caller: { userId } }) =>
      all(showMetrics(await readSeveralMetrics(services, userId, { ...wanted, sourceIds, webhookIds }))),
  ),

  getOpenApi: operation(routes.getOpenApi, async (request) => finished((await docs()).documentAt(request))),

  getDocs: operation(routes.getDocs, async (request) => finished((await docs()).pageAt(request))),
} satisfies Record<keyof typeof routes, Operation>;

const api = serve('users', { ...userOperations, ...keyOperations(services) });

export const handler = withHealth(api, createHealth({ read: services.marks.read, now }));
