import { billingPeriod } from '../../shared/domain/user.ts';
import { Limits } from '../../shared/domain/limits.ts';
import { ServiceError } from '../../shared/domain/errors.ts';
import { document, one } from '../../shared/http/answer.ts';
import { serve, table, users } from '../../shared/http/serve.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { openApi } from '../../shared/http/openapi.ts';
import { users as at } from '../../shared/http/routes/user-routes.ts';
import { showFreeUser, showPaidUser } from '../../shared/http/show-user.ts';
import { usageStore } from '../../shared/store/usage.ts';

const limits = Limits.parse(JSON.parse(environment('LIMITS').LIMITS));
const usages = usageStore(table);
let made: object | undefined;

export const handler = serve('users', {
  getUser: operation(at.getUser, async ({ caller }) => {
    const user = await users.find(caller.userId);
    // Deleted within the last minute: its key is remembered, but it is not there.
    if (!user) throw new ServiceError('unauthenticated', 'unauthenticated', 'This API key is not valid.');
    const now = Date.now();
    if (user.plan === 'free') {
      return one(
        showFreeUser(user, { limits, apiKey: caller.apiKey, used: await usages.ofDay(user.id, now) }),
      );
    }
    const period = billingPeriod(now, user.paidSince ?? user.createdAt);
    return one(showPaidUser(user, { period, used: await usages.ofMonth(user.id, now) }));
  }),

  getOpenApi: operation(at.getOpenApi, () => document((made ??= openApi()))),
} satisfies Record<keyof typeof at, Operation>);
