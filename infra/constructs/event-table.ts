import { AttributeType, Billing, type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { tableSchema } from '../../shared/store/table/table.ts';
import type { ServiceFunction } from './service-function.ts';
import type { StoredDataProps } from './stored-data.ts';

type Action =
  | 'GetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'Query'
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

/** The actions on items, without transactions that only check one. */
export const READ_AND_WRITE = [
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'BatchGetItem',
  'BatchWriteItem',
] as const satisfies readonly Action[];

/** The only table: on demand, with point-in-time recovery. */
export class EventTable extends Construct {
  readonly table: TableV2 | ITableV2;

  constructor(scope: Construct, id: string, { removalPolicy, adopt }: StoredDataProps) {
    super(scope, id);
    if (adopt !== undefined) {
      this.table = TableV2.fromTableName(this, 'Table', adopt);
      return;
    }
    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: tableSchema.partitionKey, type: AttributeType.STRING },
      sortKey: { name: tableSchema.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: tableSchema.timeToLive,
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy,
    });
  }

  get name(): string {
    return this.table.tableName;
  }

  get arn(): string {
    return this.table.tableArn;
  }

  /** Adds one statement per action, so that a test can remove each action and check that it is needed. */
  grant(to: ServiceFunction, ...actions: Action[]): void {
    for (const action of actions) to.allow([`dynamodb:${action}`], [this.table.tableArn]);
    to.env('TABLE_NAME', this.table.tableName).env('LEASE_EPOCH', '0');
  }
}
