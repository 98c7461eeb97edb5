import { randomBytes } from 'node:crypto';
import { AwsError, type Call } from '../call.ts';
import { targetKind, type Target } from './definition.ts';

/** One occurrence of a schedule, until its target has taken it. It survives a deletion of its schedule, and restarts. */
export interface ScheduleInvocation {
  readonly id: string;
  readonly scheduleArn: string;
  readonly target: Target;
  /** Time of the occurrence, epoch milliseconds. */
  readonly scheduledAt: number;
  /** Number of failed attempts. */
  readonly failures: number;
  /** Time of the next attempt; undefined: at once. */
  readonly retryAt?: number;
}

const seconds = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

export const newExecutionId = () => randomBytes(8).toString('hex');

/** https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html */
function fillAttributes(
  text: string,
  { scheduleArn, scheduledAt, failures }: ScheduleInvocation,
  executionId: string,
): string {
  return text
    .replaceAll('<aws.scheduler.schedule-arn>', scheduleArn)
    .replaceAll('<aws.scheduler.scheduled-time>', seconds(scheduledAt))
    .replaceAll('<aws.scheduler.execution-id>', executionId)
    .replaceAll('<aws.scheduler.attempt-number>', String(failures + 1));
}

/** The message for a target without input. */
function defaultNotification({ scheduleArn, scheduledAt }: ScheduleInvocation, executionId: string): string {
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

/** A queue URL in AWS's form. */
function queueUrl(arn: string): string {
  const [, , , region, account, name] = arn.split(':');
  return `https://sqs.${region}.amazonaws.com/${account}/${name}`;
}

/**
 * The call that an invocation makes, with the role of the schedule. A templated queue target has no deduplication id: a FIFO queue
 * must deduplicate by content.
 * https://docs.aws.amazon.com/scheduler/latest/APIReference/API_SqsParameters.html
 */
export function callOf(invocation: ScheduleInvocation, executionId: string): Call {
  const { target } = invocation;
  const body =
    target.input === undefined
      ? defaultNotification(invocation, executionId)
      : fillAttributes(target.input, invocation, executionId);
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

/** The wait before the next attempt: it doubles each time, up to five minutes. AWS documents no values. */
const backoffMs = (failures: number) => Math.min(2 ** failures, 300) * 1000;

const THROTTLED = /Throttl|TooManyRequests|RequestLimitExceeded|ServiceUnavailable/;

/** The decision after a failed attempt. */
type RetryDecision =
  | { readonly retry: ScheduleInvocation }
  /** The exhausted retry condition; undefined if the error is final. */
  | { readonly giveUp: 'MaximumRetryAttempts' | 'MaximumEventAgeInSeconds' | undefined };

export function decideRetry(invocation: ScheduleInvocation, error: unknown, now: number): RetryDecision {
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
  invocation: ScheduleInvocation,
  error: unknown,
  { executionId, exhausted }: { executionId: string; exhausted: string | undefined },
): Call | undefined {
  const { target, scheduleArn, scheduledAt, failures } = invocation;
  if (target.deadLetterArn === undefined) return undefined;
  const reason = error instanceof Error ? error : new Error(String(error));
  const attributes: Readonly<Record<string, string | undefined>> = {
    ERROR_CODE: reason.name,
    ERROR_MESSAGE: reason.message || reason.name,
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
