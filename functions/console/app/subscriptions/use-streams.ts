import { useQuery } from '@tanstack/preact-query';
import { listSubscriptions } from '../api/subscription-api.ts';

/** The streams of every source. */
const OWN = ['$errors', '$logs'];

/** A user can have 10,000 subscriptions. */
export const STALE_MS = 10_000;

/** The streams of sources without the default one: their own, those that listeners follow, and that of the address. */
export function useStreams(value: string, isOf: (emitterId: string) => boolean): readonly string[] {
  const { data } = useQuery({ queryKey: ['subscriptions'], queryFn: listSubscriptions, staleTime: STALE_MS });
  const followed = (data?.data ?? []).filter(({ emitter_id: id }) => isOf(id)).map(({ event_name: name }) => name);
  return [...new Set([...OWN, ...followed, value])].filter((name) => name !== '' && name !== 'default');
}

/** Whether these are the streams that every source has, and no others. */
export const hasOnlyOwn = (streams: readonly string[]): boolean => streams.every((name) => OWN.includes(name));
