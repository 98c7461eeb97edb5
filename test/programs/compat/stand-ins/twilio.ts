import { createHmac } from 'node:crypto';
import type { HookScenario } from '../scenario.ts';
import { register, remove, title } from './common.ts';

const NUMBER = '/2010-04-01/Accounts/AC-twilio/IncomingPhoneNumbers/PN-twilio.json';
const headers = {
  authorization: `Basic ${Buffer.from('SK-twilio:twilio-secret').toString('base64')}`,
  'content-type': /^application\/x-www-form-urlencoded/,
};
const TOKEN = 'twilio-auth-token';

const message = (n: number) => ({ Body: `${title(n)} & more`, From: '+15550100', MessageSid: `SM${n}` });

/** As the vendor documents it: the address, then each field's name and value in the order of the names. */
const signed = (endpoint: string, fields: Record<string, string>, token: string) =>
  createHmac('sha1', token)
    .update(
      Object.entries(fields)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .reduce((text, field) => text + field.join(''), `${endpoint}/`),
    )
    .digest('base64');

const delivery = (n: number, endpoint: string, token: string) => ({
  path: '/',
  headers: {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': signed(endpoint, message(n), token),
    'i-twilio-idempotency-token': `sms-${n}`,
  },
  body: new URLSearchParams(message(n)).toString(),
});

export const twilio: HookScenario = {
  component: 'twilio/sources/new-incoming-sms/new-incoming-sms.js',
  host: 'api.twilio.com',
  isExtra: true,
  account: {
    prop: 'twilio',
    app: 'twilio',
    fields: { Sid: 'SK-twilio', Secret: 'twilio-secret', AccountSid: 'AC-twilio' },
  },
  props: () => ({ incomingPhoneNumber: 'PN-twilio', authToken: TOKEN, responseMessage: 'Thanks' }),
  customResponse: true,
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: NUMBER,
      headers,
      body: { SmsMethod: 'POST', SmsUrl: endpoint() },
      response: { body: { sid: 'PN-twilio' } },
    }),
  ],
  deactivate: () => [
    remove({
      method: 'POST',
      path: NUMBER,
      headers,
      body: { SmsMethod: 'POST', SmsUrl: '' },
      response: { body: { sid: 'PN-twilio' } },
    }),
  ],
  delivery: (n, { endpoint }) => delivery(n, endpoint, TOKEN),
  emits: (n) => ({ summary: message(n).Body, event: message(n) }),
  responses: { status: 200, text: /<Response><Message>Thanks<\/Message><\/Response>$/ },
  // The component thanks every sender, and ignores messages without the vendor's signature.
  wrong: ({ endpoint }) => ({ ...delivery(3, endpoint, 'twilio-guessed-token'), status: 200 }),
};
