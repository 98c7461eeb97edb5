import { CloudFormationClient, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { restoreTable } from '../../../../bin/admin/restore/restore-command.ts';
import { RestoreInput } from '../../../../bin/admin/restore/restore-words.ts';
import { readStage } from '../../../../infra/read-stage.ts';
import { runCommand } from '../../../support/command.ts';
import { templateWithoutCode } from '../../../support/stack.ts';
import { cloudFormation, outputs, resetAws, respondWith } from './aws.ts';
import { recoverableTables } from './recoverable-tables.ts';
import { versionedBucket } from './versioned-bucket.ts';

const keyArn = 'arn:aws:kms:eu-west-1:111122223333:key/the-key';
const TO = '2026-11-22T10:00:00Z';
const TARGET = 'Ours-restored-20261122T100000Z';
const PRESENT = 'Ours-EventsTable-1';

let aws: ReturnType<typeof recoverableTables>;
let bucket: ReturnType<typeof versionedBucket>;

function deployed(data: 'retain' | 'delete'): void {
  const template = JSON.stringify(templateWithoutCode({ retention: { data } }));
  cloudFormation.on(GetTemplateCommand).resolves({ TemplateBody: template });
}

beforeEach(() => {
  cloudFormation.reset();
  deployed('retain');
  aws = recoverableTables({
    table: PRESENT,
    earliest: new Date('2026-11-01T00:00:00Z'),
    latest: new Date('2026-11-28T03:00:00Z'),
    bytes: 20 * 2 ** 30,
  });
  bucket = versionedBucket({ page: 2, request: aws.request });
});

const settings = { stackName: 'Ours', tags: { team: 'events' }, concurrency: 'standard' };

/** A folder with the stage `ours`. */
function stages(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-stages-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'ours.json'), JSON.stringify(settings));
  return folder;
}

interface Call {
  folder: string;
  options?: object;
  stack?: string;
  tableName?: string;
  confirm?: (plan: string) => Promise<void>;
  interrupted?: AbortSignal;
}

const restore = ({ folder, options = {}, stack, tableName = PRESENT, ...changes }: Call) =>
  restoreTable(RestoreInput.parse({ to: TO, stage: 'ours', ...options }), {
    dynamo: new DynamoDBClient({ region: 'eu-west-1' }),
    s3: new S3Client({ region: 'eu-west-1' }),
    cloudFormation: new CloudFormationClient({ region: 'eu-west-1' }),
    folder,
    stack,
    namesOf: () => Promise.resolve({ tableName, bucketName: 'the-bucket', accountKeyArn: keyArn }),
    confirm: () => Promise.resolve(),
    note: () => undefined,
    pause: () => Promise.resolve(),
    interrupted: new AbortController().signal,
    ...changes,
  });

const settingsIn = (folder: string): unknown => JSON.parse(readFileSync(join(folder, 'ours.json'), 'utf8'));

const adopting = {
  ...settings,
  retention: { data: 'retain' },
  adopt: { table: TARGET, bucket: 'the-bucket', keyArn },
};
const RESTORED = {
  source: PRESENT,
  to: TO,
  expiry: 'expiresAt',
  isRecoverable: true,
  tags: { 'tributary:stack': 'Ours', team: 'events' },
};

const [EARLIER, LATER, LATEST] = ['2026-11-20T00:00:00Z', '2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z'];

/** Two objects were deleted after the time, one of them twice. */
function deletions(): void {
  for (const key of ['bodies/a', 'bodies/b', 'code/c']) bucket.put(key, EARLIER);
  for (const key of ['bodies/a', 'code/c']) bucket.remove(key, LATER);
  bucket.remove('code/c', LATEST);
}
const fetched = { 'bodies/a': 'data', 'bodies/b': 'data', 'code/c': 'data' };

describe('admin restore', () => {
  test('restores the table, with expiry, recovery and tags as the template has them, and the stage adopts it', async () => {
    const folder = stages();
    const { text } = await restore({ folder });
    expect(aws.restored()).toEqual({ [TARGET]: RESTORED });
    expect(settingsIn(folder)).toEqual(adopting);
    expect(readStage('ours', folder).adopt).toEqual(adopting.adopt);
    expect(readdirSync(folder)).toEqual(['ours.json']);
    expect(text).toContain('npx cdk deploy -c stage=ours\n');
    expect(text).toContain('reconcile --stack Ours\n');
    expect(aws.deleted()).toEqual([]);
  });

  test('asks with table, new name, price and time before it does anything', async () => {
    const folder = stages();
    const plans: string[] = [];
    const refused = restore({
      folder,
      confirm: (plan) => {
        plans.push(plan);
        return Promise.reject(new Error('No'));
      },
    });
    await expect(refused).rejects.toThrow('No');
    for (const part of [PRESENT, TARGET, '20.00 GB', '$3.00 once', '$9.00 a month', '10 to 60 minutes'])
      expect(plans.join()).toContain(part);
    expect(aws.restored()).toEqual({});
    expect(settingsIn(folder)).toEqual(settings);
  });

  test('a dry run says the plan and changes nothing', async () => {
    const folder = stages();
    const { json } = await restore({ folder, options: { dryRun: true } });
    expect(json).toMatchObject({ source: PRESENT, target: TARGET, started: false, estimated_usd: 3 });
    expect(aws.writes()).toEqual([]);
    expect(settingsIn(folder)).toEqual(settings);
  });

  test('goes on where an earlier call ended, after whichever request that was, and restores once', async () => {
    deletions();
    const requests = await (async () => {
      await restore({ folder: stages() });
      return aws.requests();
    })();
    for (let last = 1; last <= requests; last += 1) {
      aws.reset();
      bucket.clear();
      deletions();
      const folder = stages();
      aws.failAfter(last);
      await expect(restore({ folder })).rejects.toThrow();
      aws.failAfter(Infinity);
      await restore({ folder });
      expect(aws.restored(), `after ${last} requests`).toEqual({ [TARGET]: RESTORED });
      expect(settingsIn(folder)).toEqual(adopting);
      expect(bucket.current()).toEqual(fetched);
      expect(aws.writes().filter((name) => name === 'RestoreTableToPointInTime')).toHaveLength(1);
    }
    expect(requests).toBeGreaterThan(8);
  });

  test('an interruption leaves the restoration to AWS, and the sentence says how to go on', async () => {
    const folder = stages();
    const stop = new AbortController();
    aws.onRestore(() => {
      stop.abort();
    });
    await expect(restore({ folder, interrupted: stop.signal })).rejects.toThrow(
      `The restoration is not complete: It was interrupted. The service uses ${PRESENT} as before. Run the same command again: it goes on with ${TARGET}.`,
    );
    expect(settingsIn(folder)).toEqual(settings);
  });

  test('goes on after the time has left the window meanwhile', async () => {
    const folder = stages();
    aws.failAfter(5);
    await expect(restore({ folder })).rejects.toThrow();
    aws.failAfter(Infinity);
    aws.moveWindow(new Date('2026-11-25T00:00:00Z'));
    await restore({ folder });
    expect(settingsIn(folder)).toEqual(adopting);
  });
});

describe('objects of the bucket', () => {
  test('that were deleted after the time become current again', async () => {
    deletions();
    const { json, text } = await restore({ folder: stages() });
    expect(bucket.current()).toEqual(fetched);
    expect(json).toMatchObject({ fetched_objects: 2, fetched_bytes: 8 });
    expect(text).toContain('Fetched back from the bucket the-bucket: 2 deleted objects, 0.0 MB.');
  });

  test('that were deleted before the time, or made after it, stay deleted', async () => {
    bucket.put('bodies/gone', EARLIER);
    bucket.remove('bodies/gone', '2026-11-21T00:00:00Z');
    bucket.remove('bodies/gone', LATER);
    bucket.put('bodies/new', LATER);
    bucket.remove('bodies/new', LATEST);
    bucket.put('bundles/replaced', EARLIER, 'old');
    bucket.remove('bundles/replaced', '2026-11-21T00:00:00Z');
    bucket.put('bundles/replaced', LATER, 'new');
    bucket.remove('bundles/replaced', LATEST);
    expect((await restore({ folder: stages() })).json).toMatchObject({ fetched_objects: 0 });
    expect(bucket.current()).toEqual({});
    expect(bucket.removals()).toBe(0);
  });

  test('keep their newest data, whatever was stored and deleted in between', async () => {
    bucket.put('bodies/a', EARLIER, 'old');
    bucket.remove('bodies/a', LATER);
    bucket.put('bodies/a', LATER, 'new');
    bucket.remove('bodies/a', LATEST);
    bucket.put('bodies/b', EARLIER, 'old');
    bucket.remove('bodies/b', LATER);
    bucket.put('bodies/b', LATEST, 'new');
    await restore({ folder: stages() });
    expect(bucket.current()).toEqual({ 'bodies/a': 'new', 'bodies/b': 'new' });
  });

  test('that were deleted in the second of the time, or stored in it, become current: two clocks differ', async () => {
    bucket.put('bodies/a', EARLIER);
    bucket.remove('bodies/a', '2026-11-22T09:59:30Z');
    bucket.put('bodies/b', '2026-11-22T10:00:30Z');
    bucket.remove('bodies/b', LATER);
    await restore({ folder: stages() });
    expect(bucket.current()).toEqual({ 'bodies/a': 'data', 'bodies/b': 'data' });
  });

  test('that expired stay deleted', async () => {
    for (const key of ['payloads/a', 'builds/b']) {
      bucket.put(key, EARLIER);
      bucket.remove(key, LATER);
    }
    await restore({ folder: stages() });
    expect(bucket.current()).toEqual({});
  });

  test('are counted by a dry run, which changes nothing', async () => {
    deletions();
    const { json, text } = await restore({ folder: stages(), options: { dryRun: true } });
    expect(json).toMatchObject({ deleted_objects: 2, deleted_bytes: 8 });
    expect(text).toContain('In the bucket the-bucket: 2 deleted objects, 0.0 MB.\nNothing was changed.');
    expect(bucket.removals()).toBe(0);
    expect(bucket.current()).toEqual({ 'bodies/b': 'data' });
  });

  test('with versions on several pages are seen whole', async () => {
    for (const key of ['bodies/a', 'bodies/b', 'bodies/é'])
      for (const day of [11, 12, 13, 14, 15]) {
        bucket.put(key, `2026-11-${day}T00:00:00Z`, String(day));
        bucket.remove(key, `2026-11-${day}T12:00:00Z`);
      }
    bucket.put('bodies/b', EARLIER, '20');
    bucket.remove('bodies/b', LATER);
    await restore({ folder: stages() });
    expect(bucket.current()).toEqual({ 'bodies/b': '20' });
    expect(bucket.listings()).toBeGreaterThan(10);
  });

  test('that S3 does not give back leave the stage as it is, and the sentence says how to go on', async () => {
    deletions();
    bucket.refuseRemoval('Access Denied');
    const folder = stages();
    await expect(restore({ folder })).rejects.toThrow(
      /not complete: S3 does not remove a version of bodies\/a: Access Denied\. .* Run the same command again/,
    );
    expect(settingsIn(folder)).toEqual(settings);
  });

  test('that a dry run may not list are one sentence', async () => {
    bucket.refuse(new Error('You may not list versions'));
    await expect(restore({ folder: stages(), options: { dryRun: true } })).rejects.toThrow(
      'The versions of objects cannot be read: You may not list versions.',
    );
  });
});

describe('admin restore refuses, and changes nothing,', () => {
  test.each(['2026-10-31T23:59:59Z', '2026-11-28T03:00:01Z'])('a time outside of the window: %s', async (to) => {
    const folder = stages();
    await expect(restore({ folder, options: { to } })).rejects.toThrow(
      `The table ${PRESENT} can be restored to a time from 2026-11-01T00:00:00Z to 2026-11-28T03:00:00Z, not to ${to}.`,
    );
    expect(aws.writes()).toEqual([]);
  });

  test('while the deployed template would delete the data that leaves it', async () => {
    deployed('delete');
    const folder = stages();
    await expect(restore({ folder })).rejects.toThrow('Set it to "retain" and deploy once without stage.adopt.');
    expect(aws.writes()).toEqual([]);
  });

  test('a name that another table has', async () => {
    aws.add(TARGET);
    await expect(restore({ folder: stages() })).rejects.toThrow(
      `There is a table ${TARGET} already, which is not a restoration of ${PRESENT} to ${TO}.`,
    );
    expect(aws.writes()).toEqual([]);
  });

  test('a stack that the stage does not have', async () => {
    await expect(restore({ folder: stages(), stack: 'Other' })).rejects.toThrow(
      'The stage ours has the stack Ours, not Other.',
    );
  });

  test('a table without point-in-time recovery', async () => {
    aws.disableRecovery();
    await expect(restore({ folder: stages() })).rejects.toThrow('has no point-in-time recovery');
  });

  test.each([
    [['--stage', 'dev'], '--to is needed'],
    [['--to', 'yesterday', '--stage', 'dev'], '--to must be a time with its zone, such as 2026-11-22T10:00:00Z'],
    [['--to', '2026-11-22T10:00:00', '--stage', 'dev'], '--to must be a time with its zone'],
    [['--to', TO], '--stage is needed'],
    [['--to', TO, '--stage', '{}'], '--stage must be the name of a file of infra/stages'],
  ])('the command line %j', async (argv, problem) => {
    expect(await runCommand(['admin', 'restore', ...argv])).toMatchObject({
      code: 2,
      error: expect.stringContaining(problem) as string,
    });
  });

  test('to act where it cannot ask, without --yes', async () => {
    resetAws();
    respondWith({ ...outputs, TableName: PRESENT });
    deployed('retain');
    expect(await runCommand(['admin', 'restore', '--to', TO, '--stage', 'dev'])).toMatchObject({
      code: 2,
      error: 'Give --yes: nobody can be asked here. --dry-run shows the plan.\n',
    });
    expect(aws.writes()).toEqual([]);
  });
});

test('a stack that uses the restored table already needs no other restoration', async () => {
  const { json } = await restore({ folder: stages(), tableName: TARGET });
  expect(json).toEqual({ target: TARGET, deployed: true });
  expect(aws.requests()).toBe(0);
});

test('without a checkout, as from the package, it says where to run it, and changes nothing', async () => {
  const folder = join(tmpdir(), 'tributary-no-such-folder');
  await expect(restore({ folder })).rejects.toThrow(/needs a checkout.*npm run --silent admin -- restore/);
});
