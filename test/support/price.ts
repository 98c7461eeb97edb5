import type { Counted } from './counted.ts';

/** us-east-1, November 2026, US$ per million; the vendor's price pages are linked in docs/costs.md. */
const PRICE = {
  writeUnit: 0.625,
  readUnit: 0.125,
  sqsFifo: 0.5,
  sqsStandard: 0.4,
  httpApi: 1.0,
  lambdaRequest: 0.2,
  /** Per million GB-seconds. */
  gbSecond: 16.6667,
};

/** Assumed, not counted: milliseconds of an invocation, by the size of its batch. Memory is that of infra/sizing.ts. */
const duration = (perBatch: number) => ({
  ingress: { ms: 8, gb: 0.5, per: 1 },
  'run-source': { ms: 15 + perBatch, gb: 1, per: perBatch },
  runner: { ms: 4 + perBatch, gb: 2, per: perBatch },
  'deliver-event': { ms: 40 + perBatch, gb: 0.5, per: perBatch },
});

/** US$ per million events, HTTP in → user code → stored → delivered. */
export function pricePerMillion(counted: Counted): number {
  const { writeUnits, readUnits, sqsRequests, sqsFifoRequests, perBatch } = counted;
  const functions = Object.values(duration(perBatch)).reduce(
    (sum, { ms, gb, per }) => sum + (PRICE.lambdaRequest + (ms / 1000) * gb * PRICE.gbSecond) / per,
    0,
  );
  return (
    writeUnits * PRICE.writeUnit +
    readUnits * PRICE.readUnit +
    sqsFifoRequests * PRICE.sqsFifo +
    (sqsRequests - sqsFifoRequests) * PRICE.sqsStandard +
    PRICE.httpApi +
    functions
  );
}
