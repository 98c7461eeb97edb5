import * as z from 'zod';
import type { CommandWords } from '../../tributary/command-tree.ts';

export const doctorWords: CommandWords = {
  usage: 'doctor',
  about: 'Examine this machine, an AWS account before a deployment (--account), or a deployed stack (--stack).',
  options: [
    ['--account', 'the limits of the AWS account of your credentials'],
    ['--stage <name>', 'with --account: whether this stage of stages.json fits them'],
  ],
  examples: [
    ['tributary admin doctor', 'isolation, dead letters and OAuth clients on this machine'],
    ['tributary admin doctor --account --stage prod', 'before the stage prod is deployed'],
  ],
};

export const DoctorInput = z
  .strictObject({
    account: z.boolean().default(false),
    stage: z.string().min(1, 'is empty').optional(),
    stack: z.string().optional(),
  })
  .refine(({ account, stack }) => !account || stack === undefined, 'Give one of --account and --stack')
  .refine(({ account, stage }) => account || stage === undefined, '--stage needs --account');
