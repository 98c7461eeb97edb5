import type { Receiver, SentRequest } from '../sent-request.ts';

const BOUNDARY = '------------------------7de1f5a5dd7e2e09';

/**
 * https://www.jotform.com/help/245-how-to-setup-a-webhook-with-jotform/: a form of parts, with the fields as JSON text
 * in one of them.
 */
export function submission({ address }: Pick<Receiver, 'address'>, n: number): SentRequest {
  const fields = {
    formID: '221234567890',
    submissionID: `52345678901234567${n}`,
    webhookURL: address,
    ip: '203.0.113.7',
    formTitle: 'Contact',
    pretty: `Name:Ann Lee, Question:${n}`,
    username: 'acme',
    rawRequest: JSON.stringify({
      slug: 'submit/221234567890',
      q3_name: { first: 'Ann', last: 'Lee' },
      q4_question: String(n),
    }),
    type: 'WEB',
  };
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return {
    url: address,
    headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: `${parts.join('')}--${BOUNDARY}--\r\n`,
  };
}
