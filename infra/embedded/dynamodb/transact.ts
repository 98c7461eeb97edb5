import { AwsError, type Output } from '../call.ts';
import { invalid } from './invalid.ts';
import { checkKey } from './key.ts';
import { type Meter } from './meter.ts';
import { planConditionCheck, planDelete, planPut, planUpdate } from './plan-write.ts';
import { apply, ConditionFailed, type Change, type PlannedWrite } from './planned-write.ts';
import { projectionOf, show } from './read.ts';
import { attributes, constraint, isObject, required, type FindTable, type Input } from './request.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const MAX_ENTRIES = 100;
const MAX_BYTES = 4 * 1024 * 1024;

const plans = {
  Put: planPut,
  Update: planUpdate,
  Delete: planDelete,
  ConditionCheck: planConditionCheck,
} as const;

/** All entries or none; the caller commits them to disk as one. */
export function transactWriteItems(input: Input, find: FindTable, meter: Meter | undefined): Output {
  const planned = entriesOf(input).map((entry) => planOf(entry, find));
  refuseSameItemTwice(planned);
  const outcomes = planned.map(decide);
  if (outcomes.some((outcome) => outcome instanceof AwsError)) {
    for (const { table, key } of planned) meter?.check(table, table.find(key));
    throw canceled(outcomes);
  }
  const changes = outcomes as Change[];
  const bytes = changes.reduce((sum, { after }) => sum + (typeof after === 'object' ? after.size : 0), 0);
  if (bytes > MAX_BYTES) throw tooLarge();
  for (const change of changes) apply(change, meter);
  const ConsumedCapacity = meter?.all();
  return { ...(ConsumedCapacity && { ConsumedCapacity }) };
}

export function transactGetItems(input: Input, find: FindTable, meter: Meter | undefined): Output {
  let bytes = 0;
  const Responses = entriesOf(input).map(({ Get }) => {
    if (!isObject(Get)) throw malformed();
    const key = attributes(Get, 'Key');
    const projection = projectionOf(Get);
    const table = find(Get.TableName);
    checkKey(key, table.keys);
    const row = table.find(key);
    const item = row && table.read(row);
    bytes += row?.size ?? 0;
    meter?.read(table, row?.size ?? 0, true);
    return item ? { Item: show(item, projection) } : {};
  });
  if (bytes > MAX_BYTES) throw tooLarge();
  const ConsumedCapacity = meter?.all();
  return { Responses, ...(ConsumedCapacity && { ConsumedCapacity }) };
}

function entriesOf(input: Input): Record<string, unknown>[] {
  const items = required(input, 'TransactItems');
  const count = Array.isArray(items) ? items.length : 0;
  if (!Array.isArray(items) || count === 0) {
    throw constraint([], 'transactItems', 'Member must have length greater than or equal to 1');
  }
  if (count > MAX_ENTRIES) {
    throw constraint(
      `[${count} entries]`,
      'transactItems',
      `Member must have length less than or equal to ${MAX_ENTRIES}`,
    );
  }
  return items.map((item) => (isObject(item) ? item : {}));
}

function planOf(entry: Record<string, unknown>, find: FindTable): PlannedWrite {
  const [[kind, request] = [], ...others] = Object.entries(entry).filter(([, value]) => isObject(value));
  if (kind === undefined || others.length > 0 || !Object.hasOwn(plans, kind)) throw malformed();
  return plans[kind as keyof typeof plans](request as Input, find);
}

function malformed(): AwsError {
  return invalid(
    'TransactItems can only contain one of Check, Put, Update or Delete, and in a read only Get',
  );
}

function refuseSameItemTwice(planned: readonly PlannedWrite[]): void {
  const seen = new Set<string>();
  for (const { table, key } of planned) {
    const place = `${table.name} ${table.placeOf(key)}`;
    if (seen.has(place)) throw invalid('Transaction request cannot include multiple operations on one item');
    seen.add(place);
  }
}

function decide(plan: PlannedWrite): Change | AwsError {
  try {
    return plan.decide();
  } catch (error) {
    if (error instanceof AwsError) return error;
    throw error;
  }
}

function canceled(outcomes: readonly (Change | AwsError)[]): AwsError {
  const CancellationReasons = outcomes.map((outcome) => {
    if (!(outcome instanceof AwsError)) return { Code: 'None' };
    const Code = outcome instanceof ConditionFailed ? 'ConditionalCheckFailed' : 'ValidationError';
    return { Code, Message: outcome.message, ...outcome.members };
  });
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  return new AwsError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { members: { CancellationReasons } },
  );
}

function tooLarge(): AwsError {
  return invalid('The aggregate size of the items in the transaction exceeds 4 MB');
}
