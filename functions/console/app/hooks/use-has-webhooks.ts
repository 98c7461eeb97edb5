import { useQuery } from '@tanstack/preact-query';
import { listSubscriptions } from '../api/subscription-api.ts';

const STALE_MS = 10_000;

/** Whether a webhook listens to an emitter. Without one, its events have no deliveries to ask for. */
export function useHasWebhooks(emitterId: string): boolean {
  const { data } = useQuery({
    queryKey: ['subscriptions'],
    queryFn: listSubscriptions,
    staleTime: STALE_MS,
  });
  const every = `${emitterId.slice(0, emitterId.indexOf('_'))}_*`;
  return (data?.data ?? []).some(
    ({ emitter_id: emitter, listener_id: listener }) =>
      (emitter === emitterId || emitter === every) && listener.startsWith('wh_'),
  );
}
