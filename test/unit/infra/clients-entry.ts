/** Everything that functions reach AWS with, as the entry of one bundle. */
export { batchWrite } from '../../../shared/store/table/batch-write.ts';
export { createBucket } from '../../../shared/aws/bucket.ts';
export { createCallTarget } from '../../../shared/aws/targets/call-target.ts';
export { callOf } from '../../../shared/domain/target/aws-target.ts';
export { createBuilder } from '../../../shared/aws/builder.ts';
export * from '../../../shared/aws/clients.ts';
export { sendAll } from '../../../shared/aws/queues.ts';
export { createRunner } from '../../../shared/aws/runner.ts';
export { createSchedules } from '../../../shared/aws/schedules.ts';
export { createVault } from '../../../shared/aws/vault.ts';
export {
  beginningWith,
  batchGet,
  conditionally,
  queryAll,
  transact,
} from '../../../shared/store/table/table-client.ts';
export { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
