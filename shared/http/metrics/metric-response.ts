import * as z from 'zod';
import { SourceId, WebhookId } from '../../domain/id.ts';
import { Milliseconds } from '../responses.ts';

const countOf = (text: string) => z.number().int().optional().describe(text);
const latency = (share: number) =>
  z
    .number()
    .describe(
      `Of \`latency\`: ${share} % of the deliveries took at most so many ms, with an error of up to 2 %; 0 without any.`,
    );

const bucket = {
  source_id: SourceId.optional().describe('The source; only when several are asked for.'),
  webhook_id: WebhookId.optional().describe('The webhook; only when several are asked for.'),
  at_ms: Milliseconds.describe('The start of the bucket, in ms since the epoch.'),
};

export const CountResponse = z.strictObject({
  ...bucket,
  value: z.number().int().describe('The count of the bucket; absent for `latency`.'),
  by_status: z
    .strictObject({
      '2xx': countOf('Attempts with a status of 200 to 299.'),
      '3xx': countOf('Attempts with a redirect, which is not followed.'),
      '4xx': countOf('Attempts with a status of 400 to 499.'),
      '5xx': countOf('Attempts with a status of 500 to 599.'),
      none: countOf('Attempts without a response.'),
    })
    .optional()
    .describe('The same by the status of the response, for `attempts`, `deliveries` and `failures`; without zeros.'),
});
export const LatencyResponse = z.strictObject({
  ...bucket,
  p50: latency(50),
  p95: latency(95),
  p99: latency(99),
});

/** One object, because generated clients cannot tell two apart. */
export const MetricResponse = CountResponse.extend(LatencyResponse.shape).partial().required({ at_ms: true });
