import * as z from 'zod';
import { Account } from '../../../shared/domain/account/account.ts';
import { Component } from '../../../shared/domain/component/component.ts';
import { Attempt } from '../../../shared/domain/delivery/delivery.ts';
import { Source } from '../../../shared/domain/source/source.ts';
import { AutoSubscription, Subscription } from '../../../shared/domain/subscription/subscription.ts';
import { Workflow } from '../../../shared/domain/subscription/workflow.ts';
import { User } from '../../../shared/domain/user/user.ts';
import { Webhook } from '../../../shared/domain/webhook/webhook.ts';
import { DeliveryItem } from '../../../shared/store/deliveries/delivery-item.ts';
import { EventItem } from '../../../shared/store/events/event-batch.ts';
import { RecoveryItem } from '../../../shared/store/deliveries/recoveries.ts';
import { JsonSchema } from './schema-changes.ts';

/** Objects that the table keeps for long, by the names of their attributes. */
const storedObjects = {
  webhook: Webhook,
  source: Source,
  user: User,
  component: Component,
  subscription: Subscription,
  autoSubscription: AutoSubscription,
  workflow: Workflow,
  account: Account,
  delivery: DeliveryItem,
  attempt: Attempt,
  recovery: RecoveryItem,
  event: EventItem,
};

/** Their JSON schemas: what this release reads, or with `output` what it writes. */
export const presentObjects = (io: 'input' | 'output' = 'input'): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(storedObjects).map(([name, schema]) => [
      name,
      JsonSchema.parse(z.toJSONSchema(schema, { io, unrepresentable: 'any' })),
    ]),
  );
