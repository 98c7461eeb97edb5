import { TIME_BOUNDS_MS } from '../../../shared/domain/metrics/service-counts.ts';
import { classOf, type StatusClass } from '../../../shared/domain/metrics/tally.ts';
import { Histogram } from '../../../shared/domain/metrics/histogram.ts';
import type { ApiName } from '../template/api-names.ts';

interface EndedRequest {
  /** Undefined without a response, because the client has gone. */
  readonly status: number | undefined;
  readonly ms: number;
  /** A stream lasts as long as its client listens: its time is not counted. */
  readonly isStream: boolean;
}

/** Counts the requests of one HTTP API. */
class ApiTotals {
  readonly byStatus = new Map<StatusClass, number>();
  readonly times = new Histogram(TIME_BOUNDS_MS);

  add({ status, ms, isStream }: EndedRequest): void {
    const name = classOf(status);
    this.byStatus.set(name, (this.byStatus.get(name) ?? 0) + 1);
    if (!isStream) this.times.add(ms);
  }
}

/** Counts requests since the start. */
export type RequestTotals = Readonly<Record<ApiName, ApiTotals>>;

export const newRequestTotals = (): RequestTotals => ({ api: new ApiTotals(), ingress: new ApiTotals() });
