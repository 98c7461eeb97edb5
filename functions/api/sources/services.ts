import type { EventId } from '../../../shared/domain/event-id.ts';
import type { EmitterId, Random, SourceId, UserId } from '../../../shared/domain/id.ts';
import type { Limits } from '../../../shared/domain/limits.ts';
import type { Trigger } from '../../../shared/domain/message.ts';
import type { Source } from '../../../shared/domain/source.ts';
import { ServiceError } from '../../../shared/domain/errors.ts';
import type { Configurator } from '../../../shared/lambda/components/configurator.ts';
import type { ComponentServices } from '../../../shared/lambda/components/make-component.ts';
import type { Quotas } from '../../../shared/component/execute-quota.ts';
import type { AccountStore } from '../../../shared/store/accounts.ts';
import type { AutoSubscriptionStore } from '../../../shared/store/auto-subscriptions.ts';
import type { LaggingUntil } from '../../../shared/store/lagging.ts';
import type { SourceStore } from '../../../shared/store/sources.ts';
import type { StoredEvents } from '../../../shared/store/stored-events.ts';
import type { SubscriptionStore } from '../../../shared/store/subscriptions.ts';

export interface SourceServices extends ComponentServices {
  sources: SourceStore;
  subscriptions: SubscriptionStore;
  autoSubscriptions: AutoSubscriptionStore;
  accounts: Pick<AccountStore, 'find'>;
  configurator: Configurator;
  events: StoredEvents;
  /** The newest event that a stream holds at this moment. */
  newestEvent: (emitterId: EmitterId, stream: string) => Promise<EventId | undefined>;
  sendTriggers: (triggers: readonly Trigger[]) => Promise<void>;
  quotas: Quotas;
  laggingUntil: LaggingUntil;
  limits: Limits;
  ingressUrl: string;
  random: Random;
}

export const sourceNotFound = (id: string) =>
  new ServiceError('not_found', 'not_found', `There is no source ${id}.`);

/** Another user's is as unknown as one that never was. */
export async function ownedSource(
  { sources }: Pick<SourceServices, 'sources'>,
  id: SourceId,
  userId: UserId,
): Promise<Source> {
  const source = await sources.find(id);
  if (source?.ownerId !== userId || source.state === 'deleting') throw sourceNotFound(id);
  return source;
}
