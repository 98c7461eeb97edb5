import type { Input, Output } from '../../call.ts';
import type { DynamoDbContext } from '../context.ts';
import type { Meter } from '../meter.ts';
import { oldItemIfRequested, writeItem } from '../write.ts';
import { planPut } from '../write-plans.ts';

export function putItem(input: Input, { find }: DynamoDbContext, meter: Meter | undefined): Output {
  const returnValues = oldItemIfRequested(input);
  return writeItem(planPut(input, find), meter, returnValues);
}
