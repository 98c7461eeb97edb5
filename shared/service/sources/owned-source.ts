import type { EventId } from '../../domain/event-id.ts';
import type { EmitterId, Random, SourceId, UserId } from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Trigger } from '../../domain/message.ts';
import type { Source } from '../../domain/source.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { Configurator } from '../components/configurator.ts';
import type { ComponentServices } from '../components/make-component.ts';
import type { Quotas } from '../admission/quotas.ts';
import type { AccountStore } from '../../store/accounts.ts';
import type { AutoSubscriptionStore } from '../../store/auto-subscriptions.ts';
import type { OverloadedUntil } from '../../store/overloaded-sources.ts';
import type { SourceStore } from '../../store/sources.ts';
import type { StoredEventStore } from '../../store/stored-events.ts';
import type { SubscriptionStore } from '../../store/subscriptions.ts';

export interface SourceServices extends ComponentServices {
  sources: SourceStore;
  subscriptions: SubscriptionStore;
  autoSubscriptions: AutoSubscriptionStore;
  accounts: Pick<AccountStore, 'find'>;
  configurator: Configurator;
  events: StoredEventStore;
  /** The newest event that a stream holds at this moment. */
  newestEvent: (emitterId: EmitterId, stream: string) => Promise<EventId | undefined>;
  sendTriggers: (triggers: readonly Trigger[]) => Promise<void>;
  quotas: Quotas;
  overloadedUntil: OverloadedUntil;
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
