import { expect } from 'vitest';

/** What must be seen nowhere but in a run. The second is what a name and password look like on their way. */
export const TOKEN = 'canary-token-7f3a9c51d2';
export const ODD = 'canary "odd" \\ value/é?&7d1';
export const FIELDS = {
  oauth_access_token: TOKEN,
  custom: ODD,
  base_url: 'https://shop.example.com',
  oauth_uid: '40812345',
};

/** Every kind of field: each of them must be seen nowhere but in a run, unless somebody else said it first. */
export const EVERY = {
  ...FIELDS,
  oauth_uid: 'canary-uid-40812',
  base_url: 'https://canary-shop.example.com',
  username: 'canary-üser',
  email: 'canary+ann@mail.example',
  host: 'canary-host.example.org',
  workspace_id: 'T0CANARY77',
  account_number: '90210777001',
  pin: 'p~7!',
  lines: 'canary line one\nshort\nand the canary of line three',
};

/** As the account is named by an app prop called `app`. */
export const named = (id: string) => ({ app: { authProvisionId: id } });

/** `--field` of the command. */
export const fieldsOf = (fields: Record<string, string>) =>
  Object.entries(fields).map(([name, value]) => `${name}=${value}`);

/** A component with an app prop, which may be asked for anything. */
export const component = (parts: string) => `
  const app = {
    type: 'app', app: 'some_app',
    propDefinitions: {
      room: { type: 'string', async options({ page, prevContext, query, prefix }) {
        return {
          options: [this.$auth.custom, this.token(), { label: 'Room ' + page, value: prefix + query }],
          context: { seen: (prevContext.seen ?? 0) + 1, token: this.token() },
        };
      } },
    },
    methods: { token() { return this.$auth.oauth_access_token; } },
  };
  export default { name: 'With an account', version: '0.0.1', ${parts} };`;

export function expectNoCanary(text: string): void {
  const spellings = [TOKEN, ODD].flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').slice(4, -4),
    Buffer.from(`user:${secret}`).toString('base64').slice(8, -4),
  ]);
  for (const spelling of spellings) expect(text).not.toContain(spelling);
}

/** Of no field, in whatever spelling; but those that are `said` may stand there. */
export function expectNoField(text: string, said: readonly string[] = []): void {
  const hidden = Object.values(EVERY).filter((value) => !said.includes(value));
  expectNoCanary(text);
  // What is left of a text that the console showed in several lines.
  for (const value of [...hidden, 'anary line', 'of line three']) {
    const inJson = JSON.stringify(value).slice(1, -1);
    for (const spelling of [
      value,
      value.toLowerCase(),
      inJson,
      encodeURIComponent(value),
      Buffer.from(value).toString('latin1'),
    ])
      expect(text).not.toContain(spelling);
  }
}
