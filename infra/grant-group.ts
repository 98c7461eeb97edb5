import type { InvokedGroup } from '../shared/http/gateway-routes.ts';
import { READ_AND_WRITE } from './constructs/event-table.ts';
import type { ServiceFunction } from './constructs/service-function.ts';
import { countRuns, type Grants, sendRuns, sendToTargets, setNetwork } from './grants.ts';
import type { Resources } from './resources.ts';
import type { Stage } from './stage.ts';
import { stageVariables } from './stage-variables.ts';

interface ApiGrantsContext {
  stage: Stage;
  resources: Resources;
  grants: Grants;
  liveUrl: string;
}

/** Gives the function of an endpoint group the permissions and the variables that its operations need. */
export function grantGroup(
  to: ServiceFunction,
  group: InvokedGroup,
  { stage, resources, grants, liveUrl }: ApiGrantsContext,
): void {
  const { table, objects, accountKey, retries, schedules, ingress, egress } = resources;
  // Only pages of this origin use sessions of people. The console itself serves files.
  if (group !== 'console') to.env('PUBLIC_API_URL', resources.publicApi.address.url);
  switch (group) {
    case 'components':
      table.grant(to, 'GetItem', 'PutItem', 'UpdateItem', 'Query', 'BatchGetItem');
      grants.buildAndDescribe(to);
      objects.grant(to, { code: ['GetObject'] });
      return;
    case 'sources':
      table.grant(to, 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'BatchGetItem', 'ConditionCheckItem');
      grants.buildAndDescribe(to);
      objects.grant(to, { bodies: ['GetObject'], payloads: ['PutObject'] });
      sendRuns(to, resources);
      countRuns(to, resources);
      to.env('INGRESS_URL', ingress.address.url).env('LIVE_URL', liveUrl);
      return;
    case 'workflows':
      // UpdateItem stores when an API key was used.
      table.grant(to, 'GetItem', 'UpdateItem', 'Query', 'BatchGetItem');
      objects.grant(to, { bodies: ['GetObject'] });
      to.env('INGRESS_URL', ingress.address.url).env('LIVE_URL', liveUrl);
      return;
    case 'subscriptions':
      table.grant(to, 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'ConditionCheckItem');
      to.env('LIMITS', stageVariables(stage).LIMITS);
      return;
    case 'webhooks':
      table.grant(to, ...READ_AND_WRITE, 'ConditionCheckItem');
      objects.grant(to, { bodies: ['GetObject'], payloads: ['GetObject', 'PutObject', 'DeleteObject'] });
      accountKey.grantSealWebhooks(to);
      accountKey.grantOpenWebhooks(to);
      grants.sendRetries(to);
      to.env('RETRIES_QUEUE_ARN', retries.queue.queueArn);
      schedules.grant(to, 'CreateSchedule', 'DeleteSchedule');
      setNetwork(to, stage);
      sendToTargets(to, stage, resources);
      // Tests of webhooks come from the addresses of deliveries.
      egress?.connect(to);
      to.env('DELIVERY_ADDRESSES', egress?.addresses.join(',') ?? '');
      to.env('LIMITS', stageVariables(stage).LIMITS).env('PAUSED', '0');
      return;
    case 'accounts':
      table.grant(to, 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'BatchGetItem');
      accountKey.grantSealAccounts(to);
      accountKey.grantDecrypt(to);
      grants.askForTokens(to);
      return;
    case 'users':
      table.grant(to, 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'BatchGetItem', 'ConditionCheckItem');
      to.env('LIMITS', stageVariables(stage).LIMITS);
      return;
    case 'console':
      // It serves files of its bundle and needs no permission.
      return;
  }
}
