import { BodyReader } from './bodies/body-reader.ts';
import { clientAddressBehind } from './clients/client-address.ts';
import { KeylessShare } from './clients/keyless-share.ts';
import { KnownCallers } from './clients/known-callers.ts';
import { maxConnections } from '../max-connections.ts';
import { newRequestTotals, type RequestTotals } from '../metrics/request-totals.ts';
import { RefusalLog } from './responses/refusal-log.ts';
import { TurnPace } from './clients/turn-pace.ts';
import type { RespondOptions } from './respond.ts';
import { ByteBudget } from './responses/byte-budget.ts';

const MIB = 1024 * 1024;
const SMALL_BYTES = 16 * MIB;
const LARGE_BYTES = 64 * MIB;
const MAX_UNSENT_BYTES = 128 * MIB;

/** Options that the listeners share: the limits of a client count both. */
export interface GatewayOptions extends Pick<
  RespondOptions,
  'clientAddress' | 'bodies' | 'unsent' | 'keyless' | 'known' | 'refusals' | 'isEndpointHost'
> {
  readonly pace: TurnPace;
  readonly maxConnections: number;
  readonly totals: RequestTotals;
}

export const gatewayOptions = (
  trustedProxies: readonly string[] = [],
  writeLog: (line: string) => void = () => undefined,
): GatewayOptions => ({
  clientAddress: clientAddressBehind(trustedProxies),
  bodies: new BodyReader({ smallBytes: SMALL_BYTES, largeBytes: LARGE_BYTES }),
  unsent: new ByteBudget(MAX_UNSENT_BYTES),
  keyless: new KeylessShare(),
  known: new KnownCallers(),
  refusals: new RefusalLog(writeLog),
  isEndpointHost: () => false,
  pace: new TurnPace(),
  maxConnections: maxConnections(),
  totals: newRequestTotals(),
});
