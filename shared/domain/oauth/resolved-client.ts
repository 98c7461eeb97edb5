import type { ProviderEntry } from './provider.ts';

/** The facts of a provider that the protocol takes: its entry, with the operator's settings instead. */
export type Provider = Omit<ProviderEntry, 'name' | 'title' | 'apps' | 'redirect' | 'note' | 'refreshToken'>;

/** A registered client as the protocol takes it. No address of its provider has a placeholder any more. */
export interface ResolvedClient {
  /** The user of these requests. Each user gets a share of the look-ups of names. */
  ownerId: string;
  /** An app of the client, for the operator's command. */
  app: string;
  clientId: string;
  clientSecret?: string | undefined;
  provider: Provider;
}
