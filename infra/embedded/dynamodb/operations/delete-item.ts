import type { Input, Output } from '../../call.ts';
import type { DynamoDbContext } from '../context.ts';
import type { Meter } from '../meter.ts';
import { oldItemIfRequested, writeItem } from '../write.ts';
import { planDelete } from '../write-plans.ts';

export function deleteItem(input: Input, { find }: DynamoDbContext, meter: Meter | undefined): Output {
  const returnValues = oldItemIfRequested(input);
  return writeItem(planDelete(input, find), meter, returnValues);
}
