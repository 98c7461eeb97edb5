import { DescribeStacksCommand, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { beforeEach, describe, expect, test } from 'vitest';
import { runCommand, startCommand } from '../../../support/command.ts';
import { templateWithoutCode } from '../../../support/stack.ts';
import { cloudFormation, outputs, resetAws } from './aws.ts';
import { versionedBucket } from './versioned-bucket.ts';

const AT = '2026-11-20T00:00:00Z';
let bucket: ReturnType<typeof versionedBucket>;

/** Seven versions of three objects, and two delete markers. */
beforeEach(() => {
  resetAws();
  bucket = versionedBucket({ page: 2, request: (handle) => handle, mayLoseData: true });
  for (const key of ['bodies/a', 'bodies/a', 'bodies/a', 'code/b', 'code/b', 'other', 'other']) bucket.put(key, AT);
  for (const key of ['bodies/a', 'code/b']) bucket.remove(key, AT);
  deployed({ data: 'delete' });
});

function deployed({
  data,
  isProtected = false,
  prefix = '',
}: {
  data: 'retain' | 'delete';
  isProtected?: boolean;
  prefix?: string;
}): void {
  cloudFormation.on(DescribeStacksCommand).resolves({
    Stacks: [
      {
        StackName: 'Ours',
        CreationTime: new Date(AT),
        StackStatus: 'CREATE_COMPLETE',
        EnableTerminationProtection: isProtected,
        Outputs: Object.entries(outputs).map(([name, OutputValue]) => ({ OutputKey: `${prefix}${name}`, OutputValue })),
      },
    ],
  });
  const template = JSON.stringify(templateWithoutCode({ retention: { data } }));
  cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: template });
}

const destroy = (...options: string[]) => runCommand(['admin', 'destroy-data', ...options]);
const NAMED = ['--stack', 'Ours', '--confirm', 'Ours'];

describe('admin destroy-data', () => {
  test('deletes every version and every delete marker of the bucket, and says what went', async () => {
    const { code, out, error } = await destroy(...NAMED);
    expect(error).toContain('The bucket the-bucket has 7 versions of objects (0.0 MB) and 2 delete markers');
    expect(out).toContain('The bucket the-bucket is empty: 9 versions and delete markers are deleted.');
    expect(out).toContain('Table and key go with the stack: npx cdk destroy.');
    expect(code).toBe(0);
    expect(bucket.entries()).toBe(0);
  });

  test('of a construct judges the data of that construct, and of no other resource of the stack', async () => {
    const { Resources } = templateWithoutCode({ retention: { data: 'retain' } });
    const own = Object.entries(Resources).map(([id, resource]) => [`Events${id}`, resource]);
    const other = { Type: 'AWS::DynamoDB::GlobalTable', DeletionPolicy: 'Delete' };
    deployed({ data: 'retain', prefix: 'Events' });
    cloudFormation
      .on(GetTemplateCommand)
      .resolves({ TemplateBody: JSON.stringify({ Resources: { ...Object.fromEntries(own), Orders: other } }) });
    const { out } = await destroy('--stack', 'Ours_Events', '--confirm', 'Ours_Events');
    expect(out).toContain('stay when the stack is deleted (retention.data).');
    expect(cloudFormation.calls().map(({ args }) => args[0].input)).toContainEqual({
      StackName: 'Ours',
      TemplateStage: 'Original',
    });
  });

  test('asks on a terminal for the name of the stack', async () => {
    const right = startCommand(['admin', 'destroy-data', '--stack', 'Ours'], { columns: 200, isTyping: true });
    await expect.poll(right.error).toContain('Type Ours to delete all of it:');
    expect(bucket.removals()).toBe(0);
    right.write('Ours\n');
    expect((await right.ended).code).toBe(0);
    expect(bucket.entries()).toBe(0);
  });

  test.each([
    ['another name', ['--stack', 'Ours', '--confirm', 'ours'], 1, 'Nothing was deleted: ours is not Ours.'],
    ['no name, where nobody can be asked', ['--stack', 'Ours'], 2, 'Give --confirm Ours: nobody can be asked here.'],
    ['neither stack nor bucket', [], 2, 'Give --stack, or --bucket with the bucket of a deleted stack.'],
  ])('deletes nothing for %s', async (_, options, code, sentence) => {
    const result = await destroy(...options);
    expect(result.error).toContain(sentence);
    expect(result.code).toBe(code);
    expect(bucket.removals()).toBe(0);
  });

  test('refuses a stack with termination protection', async () => {
    deployed({ data: 'delete', isProtected: true });
    const { code, error } = await destroy(...NAMED);
    expect([code, error]).toEqual([1, expect.stringContaining('set terminationProtection of its stage to false')]);
    expect(bucket.removals()).toBe(0);
  });

  test('names what a stack keeps', async () => {
    deployed({ data: 'retain' });
    const { out } = await destroy(...NAMED);
    expect(out).toContain(`The table the-table, the key ${outputs.AccountKeyArn} and the empty bucket stay`);
  });

  test('empties the bucket that a deleted stack has left', async () => {
    expect((await destroy('--bucket', 'the-bucket', '--confirm', 'the-bucket')).code).toBe(0);
    expect(bucket.entries()).toBe(0);
  });

  test('says how to go on when S3 refuses', async () => {
    bucket.refuseRemoval('Access Denied');
    const { code, error } = await destroy(...NAMED);
    expect([code, error]).toEqual([
      1,
      expect.stringContaining('Access Denied. Run the same command again: it goes on.'),
    ]);
  });
});
