import { randomBytes } from 'node:crypto';
import { AwsError, type Call } from '../call.ts';
import { targetKind, type Target } from './definition.ts';

/** One occurrence of a schedule on its way to the target. It outlives its schedule, and restarts. */
export interface Invocation {
  readonly id: string;
  readonly scheduleArn: string;
  readonly target: Target;
  /** When it was due, epoch milliseconds. */
  readonly scheduledAt: number;
  /** Attempts that failed. */
  readonly failures: number;
  /** When to try again; absent: at once. */
  readonly retryAt?: number;
}

const seconds = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

export const newExecutionId = () => randomBytes(8).toString('hex');

/** https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html */
function filled(
  text: string,
  { scheduleArn, scheduledAt, failures }: Invocation,
  executionId: string,
): string {
  return text
    .replaceAll('<aws.scheduler.schedule-arn>', scheduleArn)
    .replaceAll('<aws.scheduler.scheduled-time>', seconds(scheduledAt))
    .replaceAll('<aws.scheduler.execution-id>', executionId)
    .replaceAll('<aws.scheduler.attempt-number>', String(failures + 1));
}

/** What a target receives whose schedule has no input. */
function defaultNotification({ scheduleArn, scheduledAt }: Invocation, executionId: string): string {
  const [, , , region, account] = scheduleArn.split(':');
  return JSON.stringify({
    version: '0',
    id: executionId,
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account,
    time: seconds(scheduledAt),
    region,
    resources: [scheduleArn],
    detail: '{}',
  });
}

/** As AWS writes the address of a queue. */
export function queueUrl(arn: string): string {
  const [, , , region, account, name] = arn.split(':');
  return `https://sqs.${region}.amazonaws.com/${account}/${name}`;
}

/**
 * The call that an invocation makes, in the name of the schedule's own role. A templated queue target has no
 * deduplication id: a FIFO queue must deduplicate by content.
 * https://docs.aws.amazon.com/scheduler/latest/APIReference/API_SqsParameters.html
 */
export function callOf(invocation: Invocation, executionId: string): Call {
  const { target } = invocation;
  const body =
    target.input === undefined
      ? defaultNotification(invocation, executionId)
      : filled(target.input, invocation, executionId);
  const by = { role: target.roleArn };
  switch (targetKind(target.arn)) {
    case 'function': {
      const input = { FunctionName: target.arn, InvocationType: 'Event', Payload: Buffer.from(body) };
      return { ...by, service: 'Lambda', operation: 'Invoke', input };
    }
    case 'universal':
      return {
        ...by,
        service: 'SQS',
        operation: 'SendMessage',
        input: JSON.parse(body) as Record<string, unknown>,
      };
    default: {
      const group = target.messageGroupId === undefined ? {} : { MessageGroupId: target.messageGroupId };
      const input = { QueueUrl: queueUrl(target.arn), MessageBody: body, ...group };
      return { ...by, service: 'SQS', operation: 'SendMessage', input };
    }
  }
}

/** Seconds before the next attempt: twice as long each time, at most five minutes. AWS names no figures. */
const backoffMs = (failures: number) => Math.min(2 ** failures, 300) * 1000;

const THROTTLED = /Throttl|TooManyRequests|RequestLimitExceeded|ServiceUnavailable/;

/** What becomes of an invocation whose attempt failed. */
export type AfterFailure =
  | { readonly retry: Invocation }
  /** The condition that is exhausted; absent when trying again could not help. */
  | { readonly giveUp: 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds' | undefined };

export function afterFailure(invocation: Invocation, error: unknown, now: number): AfterFailure {
  const { target, failures, scheduledAt } = invocation;
  const isFinal =
    error instanceof AwsError &&
    error.fault === 'client' &&
    error.statusCode !== 429 &&
    !THROTTLED.test(error.name);
  if (isFinal) return { giveUp: undefined };
  if (failures >= target.maximumRetryAttempts) return { giveUp: 'MaximumRetryAttempts' };
  const retryAt = now + backoffMs(failures);
  if (retryAt > scheduledAt + target.maximumEventAgeSeconds * 1000)
    return { giveUp: 'MaximumEventAgeInSeconds' };
  return { retry: { ...invocation, failures: failures + 1, retryAt } };
}

/** https://docs.aws.amazon.com/scheduler/latest/UserGuide/configuring-schedule-dlq.html */
export function deadLetterCall(
  invocation: Invocation,
  error: unknown,
  { executionId, exhausted }: { executionId: string; exhausted: string | undefined },
): Call | undefined {
  const { target, scheduleArn, scheduledAt, failures } = invocation;
  if (target.deadLetterArn === undefined) return undefined;
  const told = error instanceof Error ? error : new Error(String(error));
  const attributes: Readonly<Record<string, string | undefined>> = {
    ERROR_CODE: told.name,
    ERROR_MESSAGE: told.message || told.name,
    EXECUTION_ID: executionId,
    EXHAUSTED_RETRY_CONDITION: exhausted,
    IS_PAYLOAD_TRUNCATED: 'false',
    RETRY_ATTEMPTS: String(failures),
    SCHEDULED_TIME: seconds(scheduledAt),
    SCHEDULE_ARN: scheduleArn,
    TARGET_ARN: target.arn,
  };
  const MessageAttributes = Object.fromEntries(
    Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
  );
  const { input } = callOf(invocation, executionId);
  const MessageBody = JSON.stringify(
    input['Payload'] instanceof Uint8Array
      ? { ...input, Payload: Buffer.from(input['Payload']).toString() }
      : input,
  );
  const message = { QueueUrl: queueUrl(target.deadLetterArn), MessageBody, MessageAttributes };
  return { role: target.roleArn, service: 'SQS', operation: 'SendMessage', input: message };
}
