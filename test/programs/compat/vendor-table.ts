/** Changes of the requests of `senders/`: rows of the page about all components. */
const CHANGES: Readonly<Record<string, string>> = {
  Asana:
    'the handshake with `X-Hook-Secret` while the component registers; events signed by `X-Hook-Signature`. Before, each event had `X-Hook-Secret`',
  Bitbucket: 'the documented headers, without `x-event-time`, which is not among them; the whole repository',
  Calendly: 'the whole payload of version 1 of its API',
  Formstack: 'the documented members',
  Ghost: '`current` and `previous`',
  GitHub: '`ping` first; both signatures; the payload of each event',
  GitLab: 'all headers; the documented payloads. **`gitlab/new-issue` fell out**',
  'Google Calendar, Drive': '`sync` first; all headers, without `x-goog-changed`, which changes of a drive do not have',
  Jotform: 'a form of parts. Before, JSON',
  Netlify: '`X-Netlify-Event`; the whole deploy',
  Salesforce: 'nothing: the code that the component brings in sends the request',
  SendGrid: 'the line end of the body, which is signed',
  Sentry: 'all headers; actor and installation',
  Stripe: 'an indented body, signed as it is; the signature `v0`',
  SuperSaaS: 'the documented members',
  Telegram: 'whole messages. `telegram/new-updates` asks for messages: it fails for polls, which it asked for before',
  Trello: 'the `HEAD` while the component registers; the signature over body and address',
  Twilio:
    'the signature over the address that it was given. **`twilio/new-incoming-sms` fell out with `"endpoint": "path"`**, and runs with `"origin"`',
  Typeform: 'the signature; the whole response to a form',
  Webflow: 'the documented payloads',
};

export const vendorTable: readonly string[] = [
  '| vendor | changed |',
  '| --- | --- |',
  ...Object.entries(CHANGES).map(([vendor, change]) => `| ${vendor} | ${change} |`),
];
