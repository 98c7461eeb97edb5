import { accounts } from './routes/account-routes.ts';
import { components } from './routes/component-routes.ts';
import { connecting } from './routes/connect-routes.ts';
import { deliveries } from './routes/delivery-routes.ts';
import { keys } from './routes/key-routes.ts';
import { live } from './routes/live-routes.ts';
import { sessions } from './routes/session-routes.ts';
import { sources } from './routes/source-routes.ts';
import { subscriptions } from './routes/subscription-routes.ts';
import { users } from './routes/user-routes.ts';
import { webhooks } from './routes/webhook-routes.ts';
import { workflows } from './routes/workflow-routes.ts';

/** Every operation of the API, by group and operation id. The routes of API Gateway are in gateway-routes.ts. */
export const routes = {
  components,
  sources,
  workflows,
  subscriptions,
  webhooks: { ...webhooks, ...deliveries },
  accounts: { ...accounts, ...connecting, ...sessions },
  users: { ...users, ...keys },
  live,
};
