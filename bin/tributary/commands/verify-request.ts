import { isSignedWith, TOLERANCE_SECONDS } from '../../../shared/client/webhook-signature.ts';

export type Verification = { id: string; ageSeconds: number; sentence: string } | { problem: string };

/** Checks the Standard Webhooks signature of a request as it was sent: headers, an empty line, the body. */
export async function verifyPastedRequest(text: string, secret: string, now: number): Promise<Verification> {
  const { headers, body } = parted(text);
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers.get(`webhook-${name}`));
  const missing = ['id', 'timestamp', 'signature'].filter((name) => !headers.has(`webhook-${name}`));
  if (id === undefined || timestamp === undefined || signatures === undefined)
    return {
      problem: `The request lacks ${missing.map((name) => `webhook-${name}`).join(', ')}: paste its headers, an empty line and its body.`,
    };
  if (!/^\d+$/.test(timestamp)) return { problem: `The header webhook-timestamp is no time: ${timestamp}.` };
  const checks = bodiesOf(body).map((each) =>
    isSignedWith(secret, { id, timestamp, signatures, body: new TextEncoder().encode(each) }),
  );
  const isSigned = (await Promise.all(checks)).includes(true);
  if (!isSigned)
    return {
      problem:
        'The signature is not of this secret, id, timestamp and body: check the secret, and that the body is unchanged.',
    };
  const ageSeconds = Math.round(now / 1000) - Number(timestamp);
  const age =
    Math.abs(ageSeconds) > TOLERANCE_SECONDS ? `; receivers would refuse it, because it is ${ageSeconds} s old` : '';
  return { id, ageSeconds, sentence: `The signature is right${age}.` };
}

/** Headers by their names in lower case, and the body. A request line before them is skipped. */
function parted(text: string): { headers: ReadonlyMap<string, string>; body: string } {
  const end = /\r?\n\r?\n/.exec(text);
  const head = text.slice(0, end?.index);
  const headers = new Map<string, string>();
  for (const line of head.split(/\r?\n/)) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) headers.set(name.toLowerCase(), value);
  }
  return { headers, body: end ? text.slice(end.index + end[0].length) : '' };
}

/** Pasting adds line breaks at the end. */
const bodiesOf = (body: string): string[] => [body, body.replace(/\r?\n$/, ''), body.trim()];
