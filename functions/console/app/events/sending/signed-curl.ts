import { streamHeader } from '../../../../../shared/domain/delivery/stream-header.ts';
import { quoted } from '../../shell-text.ts';
import type { SentEvent } from './sent-event.ts';

/** An address for a receiver that somebody tries on their own machine. */
export const LOCAL_ADDRESS = 'http://localhost:8080/hook';

/**
 * Shell commands that post an event as a delivery does. The service shows a secret once and never again, so that the
 * shell signs: with the secret that a person fills in. Body and secret go through standard input and variables, which
 * may be longer than arguments.
 */
export function signedCurl(event: SentEvent, address = LOCAL_ADDRESS): string {
  const { json, emitId, emitterId, eventId, stream } = event;
  const headers = [
    'content-type: application/json',
    ...(emitterId === undefined ? [] : [`x-tributary-emitter: ${emitterId}`]),
    `x-tributary-event-name: ${streamHeader(stream)}`,
    ...(eventId === undefined ? [] : [`x-tributary-event-id: ${eventId}`]),
  ];
  return `# The signing secret of the webhook. The console does not know it.
secret='whsec_…'
body=${quoted(json)}
id=${quoted(emitId)}
time=$(date +%s)
key=$(printf '%s' "\${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf '%s' "$id.$time.$body" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
printf '%s' "$body" | curl -g -X POST ${quoted(address)} \\
${headers.map((header) => `  -H ${quoted(header)} \\\n`).join('')}  -H "webhook-id: $id" -H "webhook-timestamp: $time" -H "webhook-signature: v1,$signature" \\
  --data-binary @-
`;
}
