import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deployApp } from '../support/deploy-app.ts';

test('the CDK takes the options of the output RollbackOptions', () => {
  const help = execFileSync(process.execPath, [join('node_modules', 'aws-cdk', 'bin', 'cdk'), 'deploy', '--help'], {
    encoding: 'utf8',
  });
  for (const option of ['--rollback-trigger-alarm-arns', '--monitoring-time-minutes'])
    expect(help).toMatch(new RegExp(`^\\s+${option}\\s`, 'm'));
});

test('a stage that adopts data is not synthesised for an account whose deployed template cannot be read', () => {
  const adopt = {
    table: 'the-table',
    bucket: 'the-bucket',
    keyArn: 'arn:aws:kms:us-east-1:111122223333:key/the-key',
  };
  const { outdir, response } = deployApp(
    { stage: { adopt } },
    {
      CDK_DEFAULT_ACCOUNT: '111122223333',
      CDK_DEFAULT_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'operator',
      AWS_SECRET_ACCESS_KEY: 'of this account',
      // Nothing listens there.
      AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:1',
    },
  );
  expect(response).toMatchObject({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^The deployed template of Tributary cannot be read: .*-c adopt=unchecked\.\n$/,
    ) as string,
  });
  expect(readdirSync(outdir)).toEqual([]);
});
