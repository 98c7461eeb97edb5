import * as z from 'zod';
import { validationException } from '../common-errors.ts';
import type { Input } from '../call.ts';

const Entry = z.strictObject({
  EventBusName: z.string().min(1).max(1_600).optional(),
  Source: z.string().optional(),
  DetailType: z.string().optional(),
  Detail: z.string().optional(),
  Resources: z.array(z.string()).optional(),
  Time: z.date().optional(),
  TraceHeader: z.string().min(1).max(500).optional(),
});
export type Entry = z.output<typeof Entry>;

/** https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html */
const PutEvents = z.strictObject({ Entries: z.array(Entry).min(1).max(10) });

export function entriesOf(input: Input): readonly Entry[] {
  const { success, data, error } = PutEvents.safeParse(input);
  if (success) return data.Entries;
  const [issue] = error.issues;
  throw validationException(
    `1 validation error detected: Value at '${issue?.path.join('.') ?? ''}' failed to satisfy constraint: ${issue?.message ?? ''}`,
  );
}

/** The name in the name or the ARN of a bus. */
export const busOf = ({ EventBusName = 'default' }: Pick<Entry, 'EventBusName'>): string =>
  EventBusName.replace(/^arn:.*:event-bus\//, '');
