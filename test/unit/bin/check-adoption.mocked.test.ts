import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, expect, test } from 'vitest';
import { checkAdoption } from '../../../bin/adoption/check-adoption.ts';
import { Stage } from '../../../infra/stage.ts';
import { templateWithoutCode } from '../../support/stack.ts';

const cloudFormation = mockClient(CloudFormationClient);
const env = { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'us-east-1' };
const adopt = {
  table: 'the-table',
  bucket: 'the-bucket',
  keyArn: 'arn:aws:kms:us-east-1:111122223333:key/the-key',
};
const adopting = Stage.parse({ adopt });
const check = (options: Partial<Parameters<typeof checkAdoption>[1]> = {}, stage = adopting) =>
  checkAdoption(stage, { env, isUnchecked: false, ...options });

const deployed = (data: 'retain' | 'delete') =>
  cloudFormation
    .on(GetTemplateCommand, { StackName: 'Tributary' })
    .resolves({ TemplateBody: JSON.stringify(templateWithoutCode({ retention: { data } })) });

beforeEach(() => {
  cloudFormation.reset();
});

test('adopting is refused while the deployed template would delete table, bucket or key', async () => {
  deployed('delete');
  await expect(check()).rejects.toThrow(
    /^The deployment of stage\.adopt would delete AccountsKey\w+, EventsTable\w+, ObjectsBucket\w+: the stack Tributary was last deployed with stage\.retention\.data "delete"\. Set it to "retain" and deploy once without stage\.adopt\.$/,
  );
});

test('adopting is allowed after a deployment that keeps them, of a stack that adopts, and of a new stack', async () => {
  deployed('retain');
  expect(await check()).toBe(true);
  cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: JSON.stringify(templateWithoutCode({ adopt })) });
  await check();
  const unknown = Object.assign(new Error('Stack with id Tributary does not exist'), {
    name: 'ValidationError',
  });
  cloudFormation.on(GetTemplateCommand).rejects(unknown);
  await check();
});

test('a template that cannot be read is no permission, unless the operator says so', async () => {
  cloudFormation.on(GetTemplateCommand).rejects(new Error('Access denied.'));
  await expect(check()).rejects.toThrow('The deployed template of Tributary cannot be read: Access denied.');
  expect(await check({ isUnchecked: true })).toBe(true);
});

test('a synthesis without credentials, and a stage that adopts nothing, ask nothing', async () => {
  deployed('delete');
  expect(await check({ env: { CDK_DEFAULT_REGION: 'us-east-1' } })).toBe(false);
  expect(await check({}, Stage.parse({}))).toBe(true);
  expect(cloudFormation.calls()).toEqual([]);
});
