import * as z from 'zod';

const HttpResponse = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/**
 * The failed messages of a batch, as a function reports them. A response that is nothing or names no message is
 * success. An unreadable report, or one with a message of another batch, fails the whole batch.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
 */
export function failedMessages(response: unknown, messageIds: readonly string[]): ReadonlySet<string> {
  if (response === null || response === undefined) return new Set();
  const read = HttpResponse.safeParse(response);
  if (!read.success) return new Set(messageIds);
  const failed = new Set((read.data.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier));
  const isOfBatch = [...failed].every((id) => messageIds.includes(id));
  return isOfBatch ? failed : new Set(messageIds);
}
