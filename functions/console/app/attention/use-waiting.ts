import { useQuery } from '@tanstack/preact-query';
import { readWaiting, type Waiting } from '../api/delivery-api.ts';
import { countText } from '../locale.ts';

/** The read of the deliveries that wait for a webhook to work again. */
export const waitingOf = (webhookId: string) => ({
  queryKey: ['waiting', webhookId],
  queryFn: () => readWaiting(webhookId),
  staleTime: 5_000,
});

export const useWaiting = (webhookId: string | undefined, pollMs: number | false) =>
  useQuery({ ...waitingOf(webhookId ?? ''), enabled: webhookId !== undefined, refetchInterval: pollMs });

/** `299`, or `1,000+`. */
export const waitingText = ({ count, isLeast }: Waiting): string => `${countText(count)}${isLeast ? '+' : ''}`;
