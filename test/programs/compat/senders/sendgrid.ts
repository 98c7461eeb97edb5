import { type KeyObject, sign } from 'node:crypto';
import { JSON_TYPE, type SentRequest } from '../sent-request.ts';

/**
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
 */
export const signedText = (timestamp: string, body: string): string => timestamp + body;

/**
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event: the body ends in CR LF, which is signed,
 * too.
 */
export function delivered({ address, secret }: { address: string; secret: KeyObject }, n: number): SentRequest {
  const timestamp = '1600112502';
  const body = `${JSON.stringify([
    {
      email: 'example@test.com',
      timestamp: 1_513_299_569,
      'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>',
      event: 'delivered',
      category: ['cat facts'],
      sg_event_id: `ZGVsaXZlcmVkLTA${n}`,
      sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
      response: '250 OK',
    },
  ])}\r\n`;
  const signature = sign('sha256', Buffer.from(signedText(timestamp, body)), secret).toString('base64');
  return {
    url: address,
    headers: {
      ...JSON_TYPE,
      'User-Agent': 'SendGrid Event API',
      'X-Twilio-Email-Event-Webhook-Signature': signature,
      'X-Twilio-Email-Event-Webhook-Timestamp': timestamp,
    },
    body,
  };
}
