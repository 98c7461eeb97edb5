import type { Input } from '../call.ts';
import { validationException } from '../common-errors.ts';
import { DEFAULT_GROUP, NAME } from './schedule-name.ts';
import { Violations } from './violations.ts';

/** The checked definition of a schedule. Dates are epoch milliseconds on whole seconds. */
export interface Definition {
  readonly name: string;
  readonly groupName: string;
  readonly scheduleExpression: string;
  readonly timezone: string;
  readonly startDate?: number;
  readonly actionAfterCompletion: 'NONE' | 'DELETE';
  readonly target: Target;
}

export interface Target {
  readonly arn: string;
  readonly roleArn: string;
  readonly input: string;
  readonly messageGroupId?: string;
  readonly deadLetterArn?: string;
}

/** Scheduler sends dead letters to standard queues only. */
const STANDARD_QUEUE_ARN = /^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[a-zA-Z0-9_-]+$/;
const QUEUE_ARN = /^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[a-zA-Z0-9_-]+(\.fifo)?$/;
const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;
/** AWS documents no figure; this is the smallest payload limit of its targets. */
const MAX_INPUT_BYTES = 262_144;

/** The members that the service sends. */
const MEMBERS = [
  ...['ActionAfterCompletion', 'ClientToken', 'FlexibleTimeWindow', 'GroupName', 'Name'],
  ...['ScheduleExpression', 'ScheduleExpressionTimezone', 'StartDate', 'Target'],
];
const TARGET_MEMBERS = ['Arn', 'RoleArn', 'Input', 'SqsParameters', 'DeadLetterConfig'];

export function parseDefinition(input: Input, now: number): Definition {
  const violations = new Violations();
  violations.known(input, MEMBERS, '');
  const target = (input['Target'] ?? {}) as Input;
  violations.known(target, TARGET_MEMBERS, 'target.');
  const sqs = (target['SqsParameters'] ?? {}) as Input;
  const window = (input['FlexibleTimeWindow'] ?? {}) as Input;

  const name = violations.text(input['Name'], 'name', { ...NAME, required: true });
  const groupName = violations.text(input['GroupName'], 'groupName', NAME) ?? DEFAULT_GROUP;
  const scheduleExpression = violations.text(input['ScheduleExpression'], 'scheduleExpression', {
    required: true,
    max: 256,
  });
  const timezone =
    violations.text(input['ScheduleExpressionTimezone'], 'scheduleExpressionTimezone', { max: 50 }) ?? 'UTC';
  const actionAfterCompletion =
    violations.oneOf(input['ActionAfterCompletion'], 'actionAfterCompletion', ['NONE', 'DELETE'] as const) ?? 'NONE';
  violations.text(input['ClientToken'], 'clientToken', { max: 64, pattern: /^[a-zA-Z0-9-_]+$/ });
  if (input['FlexibleTimeWindow'] === undefined) violations.missing('flexibleTimeWindow');
  else violations.oneOf(window['Mode'], 'flexibleTimeWindow.mode', ['OFF', 'FLEXIBLE'] as const, true);
  if (input['Target'] === undefined) violations.missing('target');
  const inTarget = input['Target'] !== undefined;
  const arn = violations.text(target['Arn'], 'target.arn', { required: inTarget, max: 1600 });
  const roleArn = violations.text(target['RoleArn'], 'target.roleArn', {
    required: inTarget,
    max: 1600,
    pattern: ROLE_ARN,
  });
  const payload = violations.text(target['Input'], 'target.input', {
    required: inTarget,
    max: Number.POSITIVE_INFINITY,
  });
  const messageGroupId = violations.text(sqs['MessageGroupId'], 'target.sqsParameters.messageGroupId', {
    max: 128,
  });
  const deadLetters = (target['DeadLetterConfig'] ?? {}) as Input;
  const deadLetterArn = violations.text(deadLetters['Arn'], 'target.deadLetterConfig.arn', {
    max: 1600,
    pattern: STANDARD_QUEUE_ARN,
  });
  violations.throwIfAny();

  const startDate = startDateOf(input, scheduleExpression ?? '', now);
  checkWindow(window);
  checkTarget(arn ?? '', payload ?? '');
  return {
    name: name ?? '',
    groupName,
    scheduleExpression: scheduleExpression ?? '',
    timezone,
    ...(startDate !== undefined && { startDate }),
    actionAfterCompletion,
    target: {
      arn: arn ?? '',
      roleArn: roleArn ?? '',
      input: payload ?? '',
      ...(messageGroupId !== undefined && { messageGroupId }),
      ...(deadLetterArn !== undefined && { deadLetterArn }),
    },
  };
}

/** A start date may be this far in the past. */
const START_GRACE_MS = 5 * 60_000;

function startDateOf({ StartDate }: Input, expression: string, now: number): number | undefined {
  // One-time schedules ignore the date.
  if (expression.startsWith('at(') || StartDate === undefined) return undefined;
  const startDate = StartDate instanceof Date ? StartDate.getTime() : Number.NaN;
  if (Number.isNaN(startDate)) throw validationException('StartDate is not a date.');
  if (startDate < now - START_GRACE_MS) {
    throw validationException('The StartDate you specify cannot be earlier than 5 minutes ago.');
  }
  return Math.floor(startDate / 1000) * 1000;
}

function checkWindow({ Mode, MaximumWindowInMinutes }: Input): void {
  if (Mode === 'FLEXIBLE') throw validationException('A flexible time window is not supported here: use the mode OFF.');
  if (MaximumWindowInMinutes !== undefined)
    throw validationException('MaximumWindowInMinutes must not be set when the mode is OFF.');
}

function checkTarget(arn: string, input: string): void {
  if (!QUEUE_ARN.test(arn))
    throw validationException(
      `Provided Arn is not in correct format, or of a target that is not supported here: ${arn}`,
    );
  if (Buffer.byteLength(input) > MAX_INPUT_BYTES) {
    throw validationException(`The input of a target must not be larger than ${MAX_INPUT_BYTES} bytes.`);
  }
}
