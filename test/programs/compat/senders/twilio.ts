import { createHmac } from 'node:crypto';
import type { Receiver, SentRequest } from '../sent-request.ts';

type Fields = Readonly<Record<string, string>>;

/**
 * https://www.twilio.com/docs/usage/security: the address, then each field's name and value in the order of the names.
 */
export const signature = (address: string, fields: Fields, token: string): string =>
  createHmac('sha1', token)
    .update(
      Object.entries(fields)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .reduce((text, field) => text + field.join(''), address),
    )
    .digest('base64');

export const form = (fields: Fields): string => new URLSearchParams(fields).toString();

/** https://www.twilio.com/docs/messaging/guides/webhook-request */
export function sms({ address, secret }: Receiver, n: number): SentRequest {
  // An address without a path is asked for, and signed, with the path `/`.
  const { href: url } = new URL(address);
  const sid = `SM${'0'.repeat(31)}${n}`;
  const fields = {
    ToCountry: 'US',
    ToState: 'CA',
    SmsMessageSid: sid,
    NumMedia: '0',
    SmsSid: sid,
    SmsStatus: 'received',
    Body: `Hello & welcome ${n} ü`,
    To: '+15005550006',
    NumSegments: '1',
    MessageSid: sid,
    AccountSid: `AC${'0'.repeat(32)}`,
    From: '+14158675309',
    ApiVersion: '2010-04-01',
  };
  return {
    url,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'User-Agent': 'TwilioProxy/1.1',
      'I-Twilio-Idempotency-Token': `a6a0f8c1-3c2f-4a44-8f0a-00000000000${n}`,
      'X-Twilio-Signature': signature(url, fields, secret),
    },
    body: form(fields),
  };
}
