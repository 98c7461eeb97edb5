import * as z from 'zod';
import type { Api } from '../session/api.ts';
import {
  AutoSubscription,
  Component,
  ComponentWithCode,
  Source,
  Subscription,
  Webhook,
} from '../session/response-schemas.ts';
import { CommandFailure } from '../failures.ts';
import { inBatches } from '../events/in-batches.ts';

const Named = z.looseObject({ id: z.string(), name: z.string() });
const ConnectedAccount = z.looseObject({ id: z.string(), app: z.string(), name: z.string().nullish() });
const App = z.looseObject({ app: z.string(), auth: z.string() });
const SavedComponent = ComponentWithCode.extend({
  path: z.string().optional(),
  files: z.record(z.string(), z.string()).optional(),
});
export type SavedComponent = z.infer<typeof SavedComponent>;

/** Everything of one user that can be carried to another service. */
export interface AccountState {
  components: ReadonlyMap<string, SavedComponent>;
  sources: readonly Source[];
  webhooks: readonly Webhook[];
  subscriptions: readonly Subscription[];
  autoSubscriptions: readonly AutoSubscription[];
  workflows: readonly z.infer<typeof Named>[];
  accounts: readonly z.infer<typeof ConnectedAccount>[];
  /** The emitter of the user's notices. Undefined at a service without notices. */
  noticesId: string | undefined;
  /** Apps whose accounts are connected by a sign-in. */
  signInApps: ReadonlySet<string>;
}

export async function readAccountState(api: Api): Promise<AccountState> {
  const [sources, webhooks, subscriptions, autoSubscriptions, workflows, accounts, own, apps, notices] =
    await Promise.all([
      api.list('/users/me/sources', Source),
      api.list('/users/me/webhooks', Webhook),
      api.get('/users/me/subscriptions', z.array(Subscription)),
      ifThere(api.get('/users/me/auto_subscriptions', z.array(AutoSubscription))),
      ifThere(api.list('/users/me/workflows', Named)),
      ifThere(api.list('/users/me/accounts', ConnectedAccount)),
      ifThere(api.list('/users/me/components', Component)),
      ifThere(api.get('/apps', z.array(App))),
      unlessMissing(api.get('/users/me/notices', z.object({ id: z.string() }))),
    ]);
  const ids = [...new Set([...sources.map((source) => source.component_id), ...own.map(({ id }) => id)])];
  const components = await inBatches(ids, (id) =>
    unlessMissing(api.get(`/components/${encodeURIComponent(id)}`, SavedComponent, { query: { expand: 'files' } })),
  );
  const byId = new Map(ids.map((id, at): [string, SavedComponent | undefined] => [id, components[at]]));
  const known = [...byId].flatMap(([id, component]): [string, SavedComponent][] =>
    component ? [[id, component]] : [],
  );
  return {
    components: new Map(known),
    sources,
    webhooks,
    subscriptions,
    autoSubscriptions,
    workflows,
    accounts,
    noticesId: notices?.id,
    signInApps: new Set(apps.filter(({ auth }) => auth === 'oauth').map(({ app }) => app)),
  };
}

/** Other services with this interface lack its extensions. */
const ifThere = async <T>(list: Promise<T[]>): Promise<T[]> => (await unlessMissing(list)) ?? [];

const MISSING = new Set(['not_found', 'method_not_allowed', 'not_tributary', 'http_403', 'http_404', 'http_405']);

async function unlessMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof CommandFailure && MISSING.has(error.report.code)) return undefined;
    throw error;
  }
}
