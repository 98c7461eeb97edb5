import { GetScheduleCommand, ListSchedulesCommand } from '@aws-sdk/client-scheduler';
import { beforeEach, expect, test } from 'vitest';
import { operateWith } from '../../../../bin/admin/operate.ts';
import { queueArn } from '../../../../bin/admin/queue-arn.ts';
import { runCommand } from '../../../support/command.ts';
import { SourceId } from '../../../../shared/domain/id.ts';
import { sourceKey, sourceListKey } from '../../../../shared/store/table/keys.ts';
import { ann, resetAws, scheduler, store } from './aws.ts';

beforeEach(resetAws);

const operate = operateWith(() => Promise.reject(new Error('The command uses no service of this machine')));
const admin = (...argv: string[]) => runCommand(['admin', 'reconcile', ...argv, '--stack', 'Ours'], { operate });

test('asks the scheduler of the stack for the schedules of its group', async () => {
  scheduler.on(ListSchedulesCommand).resolves({ Schedules: [] });
  scheduler.on(GetScheduleCommand).resolves({});
  expect(await admin('--json')).toMatchObject({ code: 0 });
  const inputs = scheduler.commandCalls(ListSchedulesCommand).map(({ args }) => args[0].input);
  expect(inputs).toEqual([{ GroupName: 'the-schedules' }]);
});

test('an error or an interruption names the position from which a later call continues', async () => {
  scheduler.on(ListSchedulesCommand).rejects(new Error('Rate exceeded'));
  expect(await admin()).toMatchObject({
    code: 1,
    error: 'The schedules are not all reconciled: Rate exceeded. Continue with --after orphans.\n',
  });
  expect(await admin('--after', ann)).toMatchObject({ code: 1 });
});

test('a source that cannot be read is named, and the command ends with 1', async () => {
  scheduler.on(ListSchedulesCommand).resolves({ Schedules: [] });
  const id = SourceId.parse('dc_broken');
  store({ ...sourceKey(id), id, ownerId: ann, name: 7 }, sourceListKey(ann, id));
  const { code, out, error } = await admin('--json');
  expect(code).toBe(1);
  expect(error).toMatch(/^dc_broken cannot be read by this release, and stays as it is: .*\.$/m);
  expect(JSON.parse(out)).toMatchObject({ unreadable: [{ id }] });
});

test.each([['--after', 'x', '--after must be the position that an earlier call printed']])(
  'refuses %s %s',
  async (option, value, problem) => {
    expect(await admin(option, value)).toMatchObject({
      code: 2,
      error: expect.stringContaining(problem) as string,
    });
  },
);

test.each([
  ['arn:aws:iam::123456789012:role/r', 'arn:aws:sqs:eu-west-1:123456789012:the-queue.fifo'],
  ['arn:aws-cn:iam::123456789012:role/r', 'arn:aws-cn:sqs:eu-west-1:123456789012:the-queue.fifo'],
])('the ARN of a queue follows from its address and the partition of %s', (role, arn) => {
  expect(queueArn('https://sqs.eu-west-1.amazonaws.com/123456789012/the-queue.fifo', role)).toBe(arn);
});
