import type { SourceId } from '../../domain/id.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import { credentialsIn, hasAccount } from '../../runtime/redaction/credentials.ts';
import { EarlierCredentials } from '../../runtime/redaction/earlier-credentials.ts';
import { Redactor } from '../../runtime/redaction/redactor.ts';

/** The credentials of a source that runs less often are forgotten. */
const KEPT_MS = HOUR_MS;
const MAX_SOURCES = 500;

/**
 * Makes the redactor of a source's triggers. Without props, of jobs that do not start: by the credentials that are
 * known.
 */
export type SourceRedaction = (id: SourceId, props?: Record<string, unknown>) => Redactor | undefined;

/** Remembers the credentials of sources: a trigger may repeat a token that was renewed, or that is no longer valid. */
export function createSourceRedaction(now: () => number): SourceRedaction {
  const known = new TtlCache<SourceId, EarlierCredentials>({ ttlMs: KEPT_MS, maxEntries: MAX_SOURCES, now });
  return (id, props = {}) => {
    const credentials = known.get(id) ?? (hasAccount(props) ? new EarlierCredentials() : undefined);
    if (!credentials) return undefined;
    known.set(id, credentials);
    return new Redactor(credentials.addTo(credentialsIn(props)));
  };
}
