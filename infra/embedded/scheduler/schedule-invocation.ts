import { randomBytes } from 'node:crypto';
import { AwsError, type Call } from '../call.ts';
import type { Target } from './definition.ts';

/**
 * One occurrence of a schedule, until its target has taken it. It survives a deletion of its schedule, and restarts.
 */
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

/** A queue URL in AWS's form. */
function queueUrl(arn: string): string {
  const [, , , region, account, name] = arn.split(':');
  return `https://sqs.${region}.amazonaws.com/${account}/${name}`;
}

/**
 * The call that an invocation makes, with the role of the schedule. The message has no deduplication id: a FIFO queue
 * must deduplicate by content. https://docs.aws.amazon.com/scheduler/latest/APIReference/API_SqsParameters.html
 */
export function callOf(invocation: ScheduleInvocation, executionId: string): Call {
  const { arn, roleArn, input, messageGroupId } = invocation.target;
  const group = messageGroupId === undefined ? {} : { MessageGroupId: messageGroupId };
  const MessageBody = fillAttributes(input, invocation, executionId);
  const message = { QueueUrl: queueUrl(arn), MessageBody, ...group };
  return { role: roleArn, service: 'SQS', operation: 'SendMessage', input: message };
}

/**
 * The call that sends an invocation that failed for good to its dead-letter queue, if it has one: the message of the
 * target, and the reason in attributes.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/configuring-schedule-dlq.html
 */
export function deadLetterOf(invocation: ScheduleInvocation, error: unknown, executionId: string): Call | undefined {
  const { target, scheduleArn, scheduledAt, failures } = invocation;
  if (target.deadLetterArn === undefined) return undefined;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const attributes = {
    ERROR_CODE: name,
    ERROR_MESSAGE: message || name,
    EXECUTION_ID: executionId,
    IS_PAYLOAD_TRUNCATED: 'false',
    RETRY_ATTEMPTS: String(failures),
    SCHEDULED_TIME: seconds(scheduledAt),
    SCHEDULE_ARN: scheduleArn,
    TARGET_ARN: target.arn,
  };
  const MessageAttributes = Object.fromEntries(
    Object.entries(attributes).map(([key, StringValue]) => [key, { DataType: 'String', StringValue }]),
  );
  const MessageBody = fillAttributes(target.input, invocation, executionId);
  const input = { QueueUrl: queueUrl(target.deadLetterArn), MessageBody, MessageAttributes };
  return { role: target.roleArn, service: 'SQS', operation: 'SendMessage', input };
}

/** The wait before the next attempt: it doubles each time, up to five minutes. AWS documents no values. */
const backoffMs = (failures: number) => Math.min(2 ** failures, 300) * 1000;

const THROTTLED = /Throttl|TooManyRequests|RequestLimitExceeded|ServiceUnavailable/;

/** AWS's defaults. https://docs.aws.amazon.com/scheduler/latest/APIReference/API_RetryPolicy.html */
const MAX_EVENT_AGE_MS = 86_400_000;
const MAX_RETRY_ATTEMPTS = 185;

/** The invocation with the time of its next attempt; undefined if the error is final, or the attempts are exhausted. */
export function retryOf(invocation: ScheduleInvocation, error: unknown, now: number): ScheduleInvocation | undefined {
  const { failures, scheduledAt } = invocation;
  const isFinal =
    error instanceof AwsError && error.fault === 'client' && error.statusCode !== 429 && !THROTTLED.test(error.name);
  const retryAt = now + backoffMs(failures);
  if (isFinal || failures >= MAX_RETRY_ATTEMPTS || retryAt > scheduledAt + MAX_EVENT_AGE_MS) return undefined;
  return { ...invocation, failures: failures + 1, retryAt };
}
