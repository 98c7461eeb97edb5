import { AwsError, type Input, type Output } from '../../call.ts';
import { validationException } from '../../common-errors.ts';
import type { DynamoDbContext } from '../context.ts';
import type { Meter } from '../meter.ts';
import { apply, ConditionFailed, type Change, type PlannedWrite } from '../planned-write.ts';
import { constraint, isObject, required, textIn, type FindTable } from '../request.ts';
import { planConditionCheck, planDelete, planPut, planUpdate } from '../write-plans.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const MAX_ENTRIES = 100;
const MAX_BYTES = 4 * 1024 * 1024;

const plans = {
  Put: planPut,
  Update: planUpdate,
  Delete: planDelete,
  ConditionCheck: planConditionCheck,
} as const;

const MAX_TOKEN = 36;

/** Clients of AWS make a token for each transaction. Here, a repetition with it is executed again. */
function checkToken(input: Input): void {
  const token = textIn(input, 'ClientRequestToken');
  if (token !== undefined && token.length > MAX_TOKEN)
    throw constraint(token, 'clientRequestToken', `Member must have length less than or equal to ${MAX_TOKEN}`);
}

/** Writes all entries or none. The service commits them to disk as one. */
export function transactWriteItems(input: Input, { find, faults }: DynamoDbContext, meter: Meter | undefined): Output {
  checkToken(input);
  if (faults.inject('transaction-conflict')) throw canceled(entriesOf(input).map(() => conflict));
  const planned = entriesOf(input).map((entry) => planOf(entry, find));
  refuseSameItemTwice(planned);
  const outcomes = planned.map(decide);
  if (outcomes.some((outcome) => outcome instanceof AwsError)) {
    for (const { table, key } of planned) meter?.check(table, table.find(key));
    throw canceled(outcomes);
  }
  const changes = outcomes as Change[];
  const bytes = changes.reduce((sum, { after }) => sum + (typeof after === 'object' ? after.size : 0), 0);
  if (bytes > MAX_BYTES) throw validationException('The aggregate size of the items in the transaction exceeds 4 MB');
  for (const change of changes) apply(change, meter);
  const output: Output = {};
  meter?.addConsumedCapacity(output, { isList: true });
  return output;
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
  return validationException('TransactItems can only contain one of Check, Put, Update or Delete');
}

function refuseSameItemTwice(planned: readonly PlannedWrite[]): void {
  const seen = new Set<string>();
  for (const { table, key } of planned) {
    const itemKey = `${table.name} ${table.itemKeyOf(key)}`;
    if (seen.has(itemKey))
      throw validationException('Transaction request cannot include multiple operations on one item');
    seen.add(itemKey);
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

const conflict = new AwsError('TransactionConflict', 'Transaction is ongoing for the item');

function canceled(outcomes: readonly (Change | AwsError)[]): AwsError {
  const CancellationReasons = outcomes.map((outcome) => {
    if (!(outcome instanceof AwsError)) return { Code: 'None' };
    const failed = outcome instanceof ConditionFailed ? 'ConditionalCheckFailed' : 'ValidationError';
    const Code = outcome === conflict ? 'TransactionConflict' : failed;
    return { Code, Message: outcome.message, ...outcome.members };
  });
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  return new AwsError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { members: { CancellationReasons } },
  );
}
