import * as z from 'zod';
import { arnPartsOf, type Target, targetKind } from '../../domain/target/aws-target.ts';
import { TARGET_KINDS } from '../../domain/target/target-kind-names.ts';
import { plainText } from '../../domain/text.ts';

/** https://docs.aws.amazon.com/IAM/latest/APIReference/API_Role.html */
const LONGEST_ARN = 2_048;
const ROLE = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/;

/** The target of a webhook in a request. */
export const TargetInput = z
  .strictObject(
    {
      kind: z.enum(TARGET_KINDS, `must be one of ${TARGET_KINDS.join(', ')}`).describe('The kind of the target.'),
      arn: plainText(LONGEST_ARN).describe('The ARN of the bus or the queue.'),
      role_arn: plainText(LONGEST_ARN)
        .regex(ROLE, 'must be the ARN of a role')
        .nullish()
        .describe('The ARN of a role to assume, whose trust policy requires your user id as the external id.'),
    },
    {
      error: ({ code, ...issue }) =>
        code === 'unrecognized_keys'
          ? `has no member ${String(Reflect.get(issue, 'keys'))}: there are kind, arn and role_arn`
          : 'must be an object with kind and arn, or null',
    },
  )
  .superRefine((target, context) => {
    if (arnPartsOf(target)) return;
    context.addIssue({ code: 'custom', path: ['arn'], message: `must be the ARN of ${targetKind(target).noun}` });
  })
  .transform(({ kind, arn, role_arn: roleArn }): Target => ({ kind, arn, roleArn: roleArn ?? null }));
