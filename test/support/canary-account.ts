import { expect } from 'vitest';

/** Must be seen nowhere but in a run. */
export const TOKEN = 'canary-token-7f3a9c51d2';
const ODD = 'canary "odd" \\ value/é?&7d1';
export const FIELDS = {
  oauth_access_token: TOKEN,
  custom: ODD,
  base_url: 'https://shop.example.com',
  oauth_uid: '40812345',
};

/** Names of the account: they are shown everywhere, because its own data holds them. */
export const PUBLIC = {
  oauth_uid: 'canary-uid-40812',
  base_url: 'https://canary-shop.example.com',
  username: 'canary-üser',
  email: 'canary+ann@mail.example',
  host: 'canary-host.example.org',
  workspace_id: 'T0CANARY77',
  account_number: '90210777001',
};

/** Fields of every kind. */
export const EVERY = {
  ...FIELDS,
  ...PUBLIC,
  pin: 'p~7!',
  lines: 'canary line one\nshort\nand the canary of line three',
};

/** Configured props that name the account by an app prop called `app`. */
export const named = (id: string) => ({ app: { authProvisionId: id } });

/** Values of the command's `--field`. */
export const fieldsOf = (fields: Record<string, string>) =>
  Object.entries(fields).map(([name, value]) => `${name}=${value}`);

/** A component with an app prop. */
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

/** The two credentials in the four forms; a name and a password travel as Base64. */
export function expectNoCanary(text: string): void {
  const forms = [TOKEN, ODD].flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').slice(4, -4),
    Buffer.from(`user:${secret}`).toString('base64').slice(8, -4),
  ]);
  for (const form of forms) expect(text).not.toContain(form);
}

/** For responses about accounts. */
export const expectNoField = (text: string): void => {
  expectNone(text, Object.values(EVERY));
};

/** For logs, events, errors, and responses of components. */
export const expectNoCredential = (text: string): void => {
  const known: readonly string[] = Object.values(PUBLIC);
  expectNone(
    text,
    Object.values(EVERY).filter((value) => !known.includes(value)),
  );
};

function expectNone(text: string, values: readonly string[]): void {
  expectNoCanary(text);
  // The console shows each line by itself.
  for (const value of [...values, 'anary line', 'of line three']) {
    const inJson = JSON.stringify(value).slice(1, -1);
    for (const form of [value, inJson, encodeURIComponent(value), Buffer.from(value).toString('latin1')])
      expect(text).not.toContain(form);
  }
}
