import { billingPeriod } from '../../shared/domain/billing-period.ts';
import { ServiceError } from '../../shared/domain/errors.ts';
import { document, one } from '../../shared/http/answer.ts';
import { serve } from '../../shared/http/serve.ts';
import { userServices } from '../../shared/lambda/services.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { openApi } from '../../shared/http/openapi.ts';
import { users as routes } from '../../shared/http/routes/user-routes.ts';
import { showFreeUser, showPaidUser } from '../../shared/http/show-user.ts';

const { users, usages, limits, now } = userServices();

let documentCache: object | undefined;

export const handler = serve('users', {
  getUser: operation(routes.getUser, async ({ caller }) => {
    const user = await users.find(caller.userId);
    // A deleted user's key stays in the authenticator's cache for up to a minute.
    if (!user) throw new ServiceError('unauthenticated', 'unauthenticated', 'This API key is not valid.');
    const at = now();
    if (user.plan === 'free') {
      return one(
        showFreeUser(user, { limits, apiKey: caller.apiKey, used: await usages.ofDay(user.id, at) }),
      );
    }
    const period = billingPeriod(at, user.paidSince ?? user.createdAt);
    return one(showPaidUser(user, { period, invocations: await usages.ofPeriod(user.id, period) }));
  }),

  getOpenApi: operation(routes.getOpenApi, () => document((documentCache ??= openApi()))),
} satisfies Record<keyof typeof routes, Operation>);
