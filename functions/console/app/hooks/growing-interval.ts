import { isRefusal } from '../api/refused-request.ts';

interface Reads {
  dataUpdateCount: number;
  errorUpdateCount: number;
  error: unknown;
}

const GROWTH = 1.2;

/** A `refetchInterval` that grows with each read. It ends after a refusal. */
export function growingInterval(
  { dataUpdateCount, errorUpdateCount, error }: Reads,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
): number | false {
  if (isRefusal(error)) return false;
  return Math.min(Math.round(firstMs * GROWTH ** (dataUpdateCount + errorUpdateCount)), longestMs);
}
