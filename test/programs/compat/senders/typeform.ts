import { createHmac } from 'node:crypto';
import { JSON_TYPE, type Receiver, type SentRequest } from '../sent-request.ts';

/** https://www.typeform.com/developers/webhooks/example-payload/ and /secure-your-webhooks/ */
export function formResponse({ address, secret }: Receiver, n: number): SentRequest {
  const body = JSON.stringify({
    event_id: `LtWXD3crg${n}`,
    event_type: 'form_response',
    form_response: {
      form_id: 'lT4Z3j',
      token: `a3a12ec67a1365927098a606107fac1${n}`,
      landed_at: '2018-01-18T18:07:02Z',
      submitted_at: '2018-01-18T18:17:02Z',
      hidden: { user_id: `abc12345${n}` },
      calculated: { score: 9 },
    },
  });
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`;
  return { url: address, headers: { ...JSON_TYPE, 'Typeform-Signature': signature }, body };
}
