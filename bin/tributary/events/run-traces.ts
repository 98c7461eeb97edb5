import * as z from 'zod';
import { WholeEvent } from '../session/response-schemas.ts';
import type { Api } from '../session/api.ts';
import { isNotFound } from '../failures.ts';

/** The run that made an event of the default stream; undefined if the service does not tell. */
export async function triggerOf(api: Api, sourceId: string, eventId: string): Promise<string | undefined> {
  const path = `/sources/${encodeURIComponent(sourceId)}/events/${encodeURIComponent(eventId)}`;
  try {
    return (await api.get(path, WholeEvent)).trigger_id ?? undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const Usage = z.looseObject({
  daily_invocations_used: z.number().optional(),
  billing_period_invocations: z.number().optional(),
});

/** A run may show nothing: it is counted with the user's runs when its results are stored. */
export async function runCounter(api: Api): Promise<() => Promise<boolean>> {
  const count = async () => {
    const usage = await api.get('/users/me', Usage);
    return usage.daily_invocations_used ?? usage.billing_period_invocations ?? 0;
  };
  const before = await count();
  return async () => (await count()) !== before;
}
