import * as z from 'zod';
import { UserId, WebhookId } from '../id.ts';
import { tokenKind } from '../user/signed-token.ts';

export const PORTAL_LINK_SECONDS = 3_600;

/** The right of a customer of a user to see and change one webhook. */
const PortalClaims = z.object({
  userId: UserId,
  webhookId: WebhookId,
  /** Epoch ms. */
  until: z.number(),
  /** The name and the colour of the page. */
  name: z.string(),
  color: z.string().optional(),
});

export const portalTokens = tokenKind({ prefix: 'pt', claims: PortalClaims, longestSeconds: PORTAL_LINK_SECONDS });
