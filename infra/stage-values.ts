import * as z from 'zod';

/** The kinds of values that settings of a stage have. Each message continues the name of the setting. */

export const flag = z.boolean('must be true or false');

export const email = z.email('must be an e-mail address');

/** An integer, with its default. */
export const integer = (min: number, max: number, preset: number) =>
  z.int('must be an integer').min(min, `must be at least ${min}`).max(max, `must be at most ${max}`).default(preset);

/** Text that matches the pattern. */
const text = (pattern: RegExp, message: string) => z.string(message).regex(pattern, message);

/** Text of the CDK for a value that only the deployment knows, such as the ARN of another resource of the app. */
const TOKEN = '^\\$\\{Token\\[[\\w.-]+\\]\\}$';

/** A name or an ARN of a resource, which may be in the app that uses the construct. */
export const reference = (pattern: RegExp, message: string) => text(new RegExp(`${pattern.source}|${TOKEN}`), message);

/** `arnOf('kms', 'a key of KMS')` */
export const arnOf = (service: string, resource: string) =>
  reference(new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:\\d{12}:\\S+$`), `must be the ARN of ${resource}`);

/** A pattern of ARNs of buses, queues and roles, as in a policy. No comma, which separates patterns. */
const targetPattern = text(
  /^arn:aws[a-z-]*:(?:events|sqs|iam):[a-z0-9*-]*:(?:\d{12}|\*):[\w.+=@/*-]+$/,
  'must be ARNs of event buses, queues of SQS or roles, in which * stands for any text',
);

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
export const targetPatterns = z
  .array(targetPattern, 'must be an array')
  .refine(
    (patterns) => patterns.join(',').length <= 1_200,
    'must have at most 1200 characters together, because the variables of a function have 4 KB: use *',
  );

const HOSTNAME = '([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$';

export const hostname = text(
  new RegExp(`^(?=.{1,253}$)${HOSTNAME}`),
  'must be a host name in lower case, such as api.example.com',
);

/** `*` stands for the id of an endpoint. */
export const wildcardHostname = text(
  new RegExp(`^(?=.{1,220}$)(\\*\\.)?${HOSTNAME}`),
  'must be a host name in lower case, such as in.example.com, or *.in.example.com for endpoints with a host of their own',
);

export const tableName = reference(/^[\w.-]{3,255}$/, 'must be the name of a table');

export const bucketName = reference(/^[a-z0-9.-]{3,63}$/, 'must be the name of a bucket');

export const stackName = text(
  /^[A-Za-z][A-Za-z0-9-]{0,63}$/,
  'must be a letter, then up to 63 letters, digits and hyphens',
);

const TAG = 'must be letters, digits, spaces and _ . : / = + - @';
const tagText = (max: number) =>
  text(/^[\p{L}\p{N} _.:/=+\-@]*$/u, TAG).max(max, `must have at most ${max} characters`);

/** The stack adds one. https://docs.aws.amazon.com/tag-editor/latest/userguide/best-practices-and-strats.html */
export const tags = z
  .record(
    tagText(128).regex(/^(?!aws:)./i, 'must not be empty and must not begin with aws:'),
    tagText(256),
    'must be an object',
  )
  .refine((all) => Object.keys(all).length <= 49, 'must have at most 49 entries');
