import { isSignedWith, TOLERANCE_SECONDS } from './webhook-signature.ts';

/** The headers of a request: those of the Fetch API, or an object such as Node's `request.headers`. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookRequest {
  headers: WebhookHeaders;
  /** The body as it came, before any parser changed it. */
  body: string | Uint8Array | ArrayBuffer;
  /** The secret of the webhook (`whsec_…`), or several of which one must match. */
  secret: string | readonly string[];
  /** Largest difference between the time of the request and now. Default: 300. */
  toleranceSeconds?: number;
  /** Epoch ms. Default: the time of this machine. */
  now?: number;
}

export interface VerifiedWebhook {
  /** The same for every attempt of a delivery: use it to ignore repetitions. */
  id: string;
  /** Time of this attempt. */
  sentAt: Date;
  /** The event. */
  event: unknown;
}

export type WebhookVerificationReason =
  | 'missing_header'
  | 'invalid_timestamp'
  | 'too_old'
  | 'too_new'
  | 'invalid_secret'
  | 'wrong_signature'
  | 'invalid_body';

/** A request that must not be trusted. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * Checks the Standard Webhooks signature and the time of a request, and gives its event. Throws a {@link
 * WebhookVerificationError}.
 */
export async function verifyWebhook({
  headers,
  body,
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
  now = Date.now(),
}: WebhookRequest): Promise<VerifiedWebhook> {
  const [id, timestamp, signatures] = [
    headerOf(headers, 'webhook-id'),
    headerOf(headers, 'webhook-timestamp'),
    headerOf(headers, 'webhook-signature'),
  ];
  checkTime(timestamp, { toleranceSeconds, now });
  const secrets = typeof secret === 'string' ? [secret] : secret;
  for (const each of secrets) checkSecret(each);
  const bytes = bytesOf(body);
  const request = { id, timestamp, signatures, body: bytes };
  const matches = await Promise.all(secrets.map((each) => isSignedWith(each, request)));
  if (!matches.includes(true)) {
    throw new WebhookVerificationError(
      'wrong_signature',
      'The signature is not of this secret, id, timestamp and body. Check the secret, and that the body is as it came.',
    );
  }
  return { id, sentAt: new Date(Number(timestamp) * 1_000), event: eventOf(bytes) };
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = 'get' in headers && typeof headers.get === 'function' ? headers.get(name) : memberOf(headers, name);
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (typeof text === 'string' && text !== '') return text;
  throw new WebhookVerificationError('missing_header', `The request has no header ${name}.`);
}

/** Names of headers have no case. */
const memberOf = (headers: object, name: string): unknown =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

function checkTime(timestamp: string, { toleranceSeconds, now }: { toleranceSeconds: number; now: number }) {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('invalid_timestamp', 'The header webhook-timestamp is not a time.');
  const age = now / 1_000 - Number(timestamp);
  if (age > toleranceSeconds) throw new WebhookVerificationError('too_old', `The request is ${Math.round(age)} s old.`);
  if (-age > toleranceSeconds)
    throw new WebhookVerificationError('too_new', `The request is from ${Math.round(-age)} s in the future.`);
}

function checkSecret(secret: string): void {
  if (!/^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(secret))
    throw new WebhookVerificationError('invalid_secret', 'The secret must be whsec_ followed by base64.');
}

const bytesOf = (body: WebhookRequest['body']): Uint8Array => {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
};

function eventOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new WebhookVerificationError('invalid_body', 'The body is signed, but it is not JSON.', { cause });
  }
}
