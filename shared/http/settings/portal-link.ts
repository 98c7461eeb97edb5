import * as z from 'zod';
import type { Webhook } from '../../domain/webhook/webhook.ts';
import { ServiceError } from '../../domain/errors.ts';
import { plainText } from '../../domain/text.ts';
import { WebhookIdParameter } from '../parameters.ts';

const LONGEST_NAME = 60;

export const PortalLinkInput = z.object({
  webhook_id: WebhookIdParameter.describe('The webhook that the page shows.'),
  name: plainText(LONGEST_NAME).default('').describe('Your name, as the head of the page.'),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #0b6e4f')
    .optional()
    .describe('The color of the head and of the buttons.'),
});

/** Settings that a customer may change. */
const CHANGED_BY_CUSTOMERS = ['url', 'active'];

/** Custom headers may have secrets of the user, and a target is theirs: a customer does not choose who gets events. */
export function checkPortalChange(input: Readonly<Record<string, unknown>>, webhook: Webhook): void {
  const names = Object.keys(input).filter((name) => input[name] !== undefined);
  const refused = names.find((name) => !CHANGED_BY_CUSTOMERS.includes(name));
  if (refused !== undefined)
    throw forbidden(refused, `A portal link changes ${CHANGED_BY_CUSTOMERS.join(' and ')} only.`);
  if (names.includes('url') && (webhook.headers !== undefined || webhook.target !== null))
    throw forbidden('url', 'The settings of this webhook belong to its address: ask its owner to change it.');
}

const forbidden = (path: string, message: string) =>
  new ServiceError('missing_scope', message, { details: [{ path, message: 'must be absent' }] });
