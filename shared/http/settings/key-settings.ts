import * as z from 'zod';
import { LONGEST_OVERLAP_SECONDS, Scope } from '../../domain/user/api-key.ts';
import { Name } from '../../domain/text.ts';
import { LAST_INSTANT_MS } from '../../lib/instant.ts';
import { onlyFields } from './only-fields.ts';

const OVERLAP_RULE = `must be an integer from 0 to ${LONGEST_OVERLAP_SECONDS}`;
const TIME_RULE = 'must be a time in ms since the epoch';

export const NewKeyInput = onlyFields({
  name: Name.min(1, 'is empty').describe('A name that says the purpose of the key.'),
  scopes: z
    .array(Scope)
    .min(1, `must have at least one of ${Scope.options.join(', ')}`)
    .transform((scopes) => Scope.options.filter((scope) => scopes.includes(scope)))
    .meta({ description: 'The rights of the key. No scope includes another one.', jsonSchema: z.array(Scope).min(1) }),
  expires_at_ms: z
    .int(TIME_RULE)
    .max(LAST_INSTANT_MS, TIME_RULE)
    .nullish()
    .describe(
      'Time at which the key ends, in ms since the epoch. Default: when the key of the request ends, or never.',
    ),
});

export const RotationInput = onlyFields({
  overlap_seconds: z
    .int(OVERLAP_RULE)
    .min(0, OVERLAP_RULE)
    .max(LONGEST_OVERLAP_SECONDS, OVERLAP_RULE)
    .default(0)
    .describe('Seconds for which the old secret works as well. An earlier one ends at once.'),
});
