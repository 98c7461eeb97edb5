import { components } from './routes/components.ts';
import { sources } from './routes/sources.ts';
import { subscriptions } from './routes/subscriptions.ts';
import { users } from './routes/users.ts';
import { webhooks } from './routes/webhooks.ts';
import { workflows } from './routes/workflows.ts';

/** Every operation of the interface, by group and operation id. What API Gateway knows of it is in gateway-routes.ts. */
export const routes = { components, sources, workflows, subscriptions, webhooks, users };
export type Routes = typeof routes;
