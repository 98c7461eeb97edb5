/** The parts of a request that its signature covers. */
export interface SignedRequest {
  /** Header `webhook-id`. */
  id: string;
  /** Header `webhook-timestamp`: seconds since 1970. */
  timestamp: string;
  /** Header `webhook-signature`: one signature, or several during a rotation of the secret, separated by spaces. */
  signatures: string;
  body: Uint8Array;
}

/** Receivers refuse requests that are older or newer. https://github.com/standard-webhooks/standard-webhooks */
export const TOLERANCE_SECONDS = 300;

/** Whether one of the signatures is of this secret. Web Crypto compares in constant time. */
export async function isSignedWith(
  secret: string,
  { id, timestamp, signatures, body }: SignedRequest,
): Promise<boolean> {
  const raw = bytesOfBase64(secret.replace(/^whsec_/, ''));
  if (raw === undefined || raw.length === 0) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const found = signatures
    .split(/\s+/)
    .filter((each) => each.startsWith('v1,'))
    .map((each) => bytesOfBase64(each.slice('v1,'.length)))
    .filter((each) => each !== undefined);
  const matches = await Promise.all(found.map((each) => crypto.subtle.verify('HMAC', key, each, signed)));
  return matches.includes(true);
}

/** Undefined if the text is not base64. */
function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
