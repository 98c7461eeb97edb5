import type { Input, Output } from '../../call.ts';
import { rowSeen } from '../rows/consistency.ts';
import type { DynamoDbContext } from '../context.ts';
import { checkKey } from '../values/key.ts';
import type { Meter } from '../meter.ts';
import { projectionOf, show } from '../projection.ts';
import { attributes, refuseUnknown } from '../request.ts';

export function getItem(input: Input, { find, faults }: DynamoDbContext, meter: Meter | undefined): Output {
  refuseUnknown(input);
  const key = attributes(input, 'Key');
  const projection = projectionOf(input);
  const table = find(input['TableName']);
  checkKey(key, table.keys);
  const isConsistent = input['ConsistentRead'] === true;
  const row = rowSeen(table, key, isConsistent, faults);
  const item = row && table.read(row);
  meter?.read(table, row?.size ?? 0, isConsistent);
  const output: Output = {};
  if (item) output['Item'] = show(item, projection);
  meter?.addConsumedCapacity(output);
  return output;
}
