import { LONGEST, plainText } from '../../domain/text.ts';
import { Instant } from '../delivery-parameters.ts';
import { PageInput } from '../parameters.ts';

const Text = plainText(LONGEST.name);

/** Limit, cursors and filters of the audit log. */
export const AuditPage = PageInput.safeExtend({
  key: Text.optional().meta({
    description: 'Only changes by the key with this id or name, or by the person with this address.',
  }),
  operation: Text.optional().meta({ description: 'Only this operation, such as `deleteSource`.' }),
  since: Instant.optional().meta({ description: 'Only changes at this time or later, as epoch ms or ISO 8601.' }),
  until: Instant.optional().meta({ description: 'Only changes before this time, as epoch ms or ISO 8601.' }),
}).refine(({ since, until }) => since === undefined || until === undefined || since < until, {
  path: ['since'],
  message: 'must be earlier than until',
});
