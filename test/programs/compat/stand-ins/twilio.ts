import type { HookScenario } from '../scenario.ts';
import { sms } from '../senders/twilio.ts';
import { register, remove } from './common.ts';

const NUMBER = '/2010-04-01/Accounts/AC-twilio/IncomingPhoneNumbers/PN-twilio.json';
const headers = {
  authorization: `Basic ${Buffer.from('SK-twilio:twilio-secret').toString('base64')}`,
  'content-type': /^application\/x-www-form-urlencoded/,
};
const TOKEN = 'twilio-auth-token';

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
  isOrigin: true,
  secret: () => TOKEN,
  sends: sms,
  emits: (n) => ({
    summary: `Hello & welcome ${n} ü`,
    event: { From: '+14158675309', MessageSid: `SM${'0'.repeat(31)}${n}` },
  }),
  responses: { status: 200, text: /<Response><Message>Thanks<\/Message><\/Response>$/ },
  // The component thanks every sender, and ignores messages without the vendor's signature.
  wrong: (to) => ({ ...sms({ ...to, secret: 'guessed' }, 3), status: 200 }),
};
