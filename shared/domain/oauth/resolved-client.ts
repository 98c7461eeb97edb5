import type { UserId } from '../id.ts';
import type { ProviderEntry } from './provider.ts';

/** What the protocol takes of a provider: its entry, or what the operator set instead. */
export type Provider = Omit<
  ProviderEntry,
  'name' | 'title' | 'apps' | 'redirect' | 'note' | 'missing' | 'sources' | 'refreshToken'
>;

/** A registered client as the protocol takes it. No address of its provider has a placeholder any more. */
export interface ResolvedClient {
  /** The user whose requests these are. */
  ownerId: UserId;
  /** An app of the client, for the operator's command. */
  app: string;
  clientId: string;
  clientSecret?: string | undefined;
  provider: Provider;
}
