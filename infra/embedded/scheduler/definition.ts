import type { Input } from '../call.ts';
import { validationException } from '../common-errors.ts';
import { DEFAULT_GROUP, NAME } from './schedule-name.ts';
import { Violations } from './violations.ts';

/** The checked definition of a schedule. Dates are epoch milliseconds on whole seconds. */
export interface Definition {
  readonly name: string;
  readonly groupName: string;
  readonly description?: string;
  readonly scheduleExpression: string;
  readonly timezone: string;
  readonly startDate?: number;
  readonly endDate?: number;
  readonly state: 'ENABLED' | 'DISABLED';
  readonly actionAfterCompletion: 'NONE' | 'DELETE';
  readonly target: Target;
}

export interface Target {
  readonly arn: string;
  readonly roleArn: string;
  readonly input?: string;
  readonly messageGroupId?: string;
  readonly deadLetterArn?: string;
  readonly maximumEventAgeSeconds: number;
  readonly maximumRetryAttempts: number;
}

const QUEUE_ARN = /^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[a-zA-Z0-9_-]+$/;
const ROLE_ARN = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;
/** https://docs.aws.amazon.com/scheduler/latest/APIReference/API_RetryPolicy.html */
const MAX_EVENT_AGE_SECONDS = 86_400;
const MAX_RETRY_ATTEMPTS = 185;
/** AWS documents no figure; this is the smallest payload limit of its targets. */
const MAX_INPUT_BYTES = 262_144;

const MEMBERS = [
  ...[
    'ActionAfterCompletion',
    'ClientToken',
    'Description',
    'EndDate',
    'FlexibleTimeWindow',
    'GroupName',
    'Name',
  ],
  ...['ScheduleExpression', 'ScheduleExpressionTimezone', 'StartDate', 'State', 'Target'],
];
const TARGET_MEMBERS = ['Arn', 'RoleArn', 'Input', 'SqsParameters', 'RetryPolicy', 'DeadLetterConfig'];

/** A templated target has the ARN of a queue or function; a universal target names an API call. */
type TargetKind = 'queue' | 'function' | 'universal';
const UNIVERSAL_SEND_MESSAGE = 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage';

export function targetKind(arn: string): TargetKind | undefined {
  if (arn === UNIVERSAL_SEND_MESSAGE) return 'universal';
  if (/^arn:aws[a-z-]*:sqs:[a-z0-9-]+:\d{12}:[a-zA-Z0-9_-]+(\.fifo)?$/.test(arn)) return 'queue';
  if (/^arn:aws[a-z-]*:lambda:[a-z0-9-]+:\d{12}:function:[\w-]+(:[\w$-]+)?$/.test(arn)) return 'function';
  return undefined;
}

export function parseDefinition(input: Input, now: number): Definition {
  const violations = new Violations();
  violations.known(input, MEMBERS, '');
  const target = (input['Target'] ?? {}) as Input;
  violations.known(target, TARGET_MEMBERS, 'target.');
  const sqs = (target['SqsParameters'] ?? {}) as Input;
  const retry = (target['RetryPolicy'] ?? {}) as Input;
  const deadLetter = (target['DeadLetterConfig'] ?? {}) as Input;
  const window = (input['FlexibleTimeWindow'] ?? {}) as Input;

  const name = violations.text(input['Name'], 'name', { ...NAME, required: true });
  const groupName = violations.text(input['GroupName'], 'groupName', NAME) ?? DEFAULT_GROUP;
  const description = violations.text(input['Description'], 'description', { min: 0, max: 512 });
  const scheduleExpression = violations.text(input['ScheduleExpression'], 'scheduleExpression', {
    required: true,
    max: 256,
  });
  const timezone =
    violations.text(input['ScheduleExpressionTimezone'], 'scheduleExpressionTimezone', { max: 50 }) ?? 'UTC';
  const state = violations.oneOf(input['State'], 'state', ['ENABLED', 'DISABLED'] as const) ?? 'ENABLED';
  const actionAfterCompletion =
    violations.oneOf(input['ActionAfterCompletion'], 'actionAfterCompletion', ['NONE', 'DELETE'] as const) ??
    'NONE';
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
  const payload = violations.text(target['Input'], 'target.input', { max: Number.POSITIVE_INFINITY });
  const messageGroupId = violations.text(sqs['MessageGroupId'], 'target.sqsParameters.messageGroupId', {
    max: 128,
  });
  const deadLetterArn = violations.text(deadLetter['Arn'], 'target.deadLetterConfig.arn', {
    max: 1600,
    pattern: QUEUE_ARN,
  });
  const age = violations.integer(
    retry['MaximumEventAgeInSeconds'],
    'target.retryPolicy.maximumEventAgeInSeconds',
    {
      min: 60,
      max: MAX_EVENT_AGE_SECONDS,
    },
  );
  const attempts = violations.integer(
    retry['MaximumRetryAttempts'],
    'target.retryPolicy.maximumRetryAttempts',
    {
      min: 0,
      max: MAX_RETRY_ATTEMPTS,
    },
  );
  violations.throwIfAny();

  const { startDate, endDate } = datesOf(input, scheduleExpression ?? '', now);
  checkWindow(window);
  checkTarget(arn ?? '', payload, messageGroupId);
  return {
    name: name ?? '',
    groupName,
    ...(description !== undefined && { description }),
    scheduleExpression: scheduleExpression ?? '',
    timezone,
    ...(startDate !== undefined && { startDate }),
    ...(endDate !== undefined && { endDate }),
    state,
    actionAfterCompletion,
    target: {
      arn: arn ?? '',
      roleArn: roleArn ?? '',
      ...(payload !== undefined && { input: payload }),
      ...(messageGroupId !== undefined && { messageGroupId }),
      ...(deadLetterArn !== undefined && { deadLetterArn }),
      maximumEventAgeSeconds: age ?? MAX_EVENT_AGE_SECONDS,
      maximumRetryAttempts: attempts ?? MAX_RETRY_ATTEMPTS,
    },
  };
}

/** A start date may be this far in the past. */
const START_GRACE_MS = 5 * 60_000;

function datesOf(input: Input, expression: string, now: number): { startDate?: number; endDate?: number } {
  // One-time schedules ignore both dates.
  if (expression.startsWith('at(')) return {};
  const startDate = instant(input['StartDate'], 'StartDate');
  const endDate = instant(input['EndDate'], 'EndDate');
  if (startDate !== undefined && startDate < now - START_GRACE_MS) {
    throw validationException('The StartDate you specify cannot be earlier than 5 minutes ago.');
  }
  if (endDate !== undefined && endDate <= now)
    throw validationException('The EndDate you specify must be in the future.');
  if (startDate !== undefined && endDate !== undefined && startDate >= endDate) {
    throw validationException('The StartDate you specify must come before the EndDate.');
  }
  return { ...(startDate !== undefined && { startDate }), ...(endDate !== undefined && { endDate }) };
}

function instant(value: unknown, name: string): number | undefined {
  if (value === undefined) return undefined;
  const at =
    value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw validationException(`${name} is not a date.`);
  return Math.floor(at / 1000) * 1000;
}

function checkWindow({ Mode, MaximumWindowInMinutes }: Input): void {
  if (Mode === 'FLEXIBLE')
    throw validationException('A flexible time window is not supported here: give the mode OFF.');
  if (MaximumWindowInMinutes !== undefined)
    throw validationException('MaximumWindowInMinutes must not be given when the mode is OFF.');
}

function checkTarget(arn: string, input: string | undefined, messageGroupId: string | undefined): void {
  const kind = targetKind(arn);
  if (!kind)
    throw validationException(
      `Provided Arn is not in correct format, or of a target that is not supported here: ${arn}`,
    );
  if (messageGroupId !== undefined && kind !== 'queue')
    throw validationException('SqsParameters need the ARN of a queue as target.');
  if (Buffer.byteLength(input ?? '') > MAX_INPUT_BYTES) {
    throw validationException(`The input of a target must not be larger than ${MAX_INPUT_BYTES} bytes.`);
  }
  if (kind === 'queue') return;
  try {
    JSON.parse(input ?? '{}');
  } catch {
    throw validationException(
      'Invalid RequestJson provided. Reason: the input of the target is not valid JSON.',
    );
  }
  if (kind === 'universal' && input === undefined)
    throw validationException('A universal target needs an input.');
}
