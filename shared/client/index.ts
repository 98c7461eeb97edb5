/** The entry point of `@tributary-events/tributary/client`. */
export { createTributary, type Tributary, type TributaryOptions } from './create-tributary.ts';
export { type components, type paths } from './paths.ts';
export { TributaryError, type TributaryErrorCode, type TributaryErrorKind } from './tributary-error.ts';
export {
  verifyWebhook,
  type VerifiedWebhook,
  type WebhookHeaders,
  type WebhookRequest,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './verify-webhook.ts';
