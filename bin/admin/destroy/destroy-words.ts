import * as z from 'zod';
import type { CommandWords } from '../../tributary/command-tree.ts';

export const destroyWords: CommandWords = {
  usage: 'destroy-data',
  about:
    'Delete everything in the bucket of a stack on AWS for good, with all versions and delete markers: CloudFormation deletes only an empty bucket.',
  options: [
    ['--bucket <name>', 'bucket that a deleted stack has left, instead of --stack'],
    ['--confirm <name>', 'name of the stack, or of the bucket: do not ask for it'],
  ],
  examples: [
    ['tributary admin destroy-data --stack TributaryDev', 'says what goes, and asks for the name of the stack'],
    ['tributary admin destroy-data --stack TributaryDev --confirm TributaryDev', 'asks nothing, for scripts'],
  ],
};

export const DestroyInput = z.strictObject({ bucket: z.string().min(3).optional(), confirm: z.string().optional() });
