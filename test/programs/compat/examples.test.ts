import { verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { signature as githubSignature } from './senders/github.ts';
import { signedText } from './senders/sendgrid.ts';
import { form, signature as twilioSignature } from './senders/twilio.ts';

/* Requests that vendors print with their secrets: the senders make the same bytes. */

/** https://www.twilio.com/docs/usage/security#explore-the-algorithm-yourself */
test.each([['https://mycompany.com/myapp.php?foo=1&bar=2', 'RSOYDt4T1cUTdK1PDd93/VVr8B8=']])(
  'Twilio signs a call of %s',
  (address, expected) => {
    const fields = {
      CallSid: 'CA1234567890ABCDE',
      Caller: '+14158675309',
      Digits: '1234',
      From: '+14158675309',
      To: '+18005551212',
    };
    expect(twilioSignature(address, fields, '12345')).toBe(expected);
    expect(form(fields)).toBe(
      'CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212',
    );
  },
);

/**
 * https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries#testing-the-webhook-payload-validation
 */
test('GitHub signs Hello, World!', () => {
  expect(githubSignature('sha256', "It's a Secret to Everybody", 'Hello, World!')).toBe(
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  );
});

/**
 * The fixture that all libraries of SendGrid share:
 * https://github.com/sendgrid/sendgrid-nodejs/tree/main/packages/eventwebhook
 */
test('SendGrid signs a dropped message, with the line end of its body', () => {
  const body = `${JSON.stringify([
    {
      email: 'hello@world.com',
      event: 'dropped',
      reason: 'Bounced Address',
      sg_event_id: 'ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA',
      sg_message_id: 'LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0',
      'smtp-id': '<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>',
      timestamp: 1_600_112_492,
    },
  ])}\r\n`;
  const key =
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==';
  const signature = 'MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=';
  const publicKey = { key: Buffer.from(key, 'base64'), format: 'der' as const, type: 'spki' as const };
  const isSigned = (text: string) => verify('sha256', Buffer.from(text), publicKey, Buffer.from(signature, 'base64'));
  expect(isSigned(signedText('1600112502', body))).toBe(true);
  expect(isSigned(signedText('1600112502', body.trim()))).toBe(false);
});
