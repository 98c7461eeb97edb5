import * as z from 'zod';
import { ApiKeyId } from '../../domain/id.ts';
import { Milliseconds } from '../responses.ts';

const Fields = z.looseObject({}).nullable();

export const AuditResponse = z.strictObject({
  number: z.int().describe('Counts the changes of the user: the newest entry has the highest number.'),
  at_ms: Milliseconds.describe('Time of the change, in ms since the epoch.'),
  by: z
    .strictObject({
      kind: z
        .enum(['key', 'operator', 'portal', 'person'])
        .describe(
          '`operator`: a command of the operator of the service; `portal`: a customer with a portal link; `person`: one who has signed in to the console.',
        ),
      id: ApiKeyId.nullable().describe('The id of the key; null for all others.'),
      name: z
        .string()
        .nullable()
        .describe('The name that the key had, or the address of the person; null for all others.'),
    })
    .describe('The author of the change.'),
  operation: z
    .string()
    .describe(
      'The `operationId` in this document, such as `updateWebhook`, or a command such as `admin users suspend`.',
    ),
  ids: z.array(z.string()).describe('At most ten ids of what the change is about.'),
  before: Fields.describe('Changed fields before the change; null for a creation.'),
  after: Fields.describe('Changed fields after the change; null for a removal.'),
  hidden: z
    .array(z.string())
    .describe('Fields that were set or changed, and whose values are not kept: secrets, code, props, addresses.'),
  removed: Fields.describe('What a removal took along, by kind; null when it took nothing along.'),
  is_shortened: z
    .boolean()
    .describe('Whether values were cut (they end in `…`), or left out, to keep the entry small.'),
  request_id: z.string().nullable().describe('The `x-request-id` of the request; null for the operator.'),
  client_ip: z.string().nullable().describe('The address of the caller; null for the operator.'),
});
