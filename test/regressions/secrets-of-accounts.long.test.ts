import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AuthorizationServer } from '../support/authorization-server.ts';
import { BrowserClient } from '../support/browser-client.ts';
import { testAssembly } from '../support/cloud.ts';
import { runCommand } from '../support/command.ts';
import { describeConsole, loaded } from '../support/console-browser.ts';
import { operatorAt, adminOutput } from '../support/operator.ts';
import { Receiver } from '../support/receiver.ts';
import { registerTestClient } from '../support/register-client.ts';
import { until } from '../support/until.ts';

/**
 * Secrets of an account and its sign-in stand in no output, and only encrypted on the disk: neither tokens of any
 * generation, nor the client's secret, the code, the state, PKCE's verifier, the cookie, or the address of the sign-in.
 */

const CLIENT_SECRET = `cs-${randomBytes(12).toString('hex')}`;
const MARKER = 'an-event-that-may-be-seen';

/** Keeps every token that it got, and shows them wherever a component can. */
const COMPONENT = `const kept = [];
  export default {
    name: 'Keeps', version: '0.0.1',
    props: { app: { type: 'app', app: 'acme' }, http: { type: '$.interface.http', customResponse: true }, db: '$.service.db' },
    hooks: { activate() { console.log(this.app.$auth.oauth_access_token); } },
    run({ body }) {
      kept.push(this.app.$auth.oauth_access_token);
      console.log('kept', kept, this.app.$auth);
      console.error(new Error(kept.join()));
      this.$emit({ kept, marker: '${MARKER}', auth: this.app.$auth }, { id: kept.join(), summary: kept.join() + body.n });
      this.$emit({ kept, later: true }, { id: 'later' + kept.join(), delivery_ts: Date.now() + 3_600_000 });
      this.http.respond({ status: 200, headers: { 'x-kept': kept.join() }, body: { kept } });
      throw Object.assign(new Error('refused: ' + kept.join()), { kept });
    },
  };`;
/** A source that listens to the other. */
const LISTENER = `export default { name: 'Listens', version: '0.0.1', run(event) { this.$emit(event); } };`;

/** A secret as it is, and what three alignments of Base64 have in common with any text that contains it. */
const formsOf = (secret: string): string[] => [
  secret,
  ...[0, 1, 2].map((offset) => {
    const text = Buffer.from(' '.repeat(offset) + secret).toString('base64');
    return text.slice(4, -4).replace(/=+$/, '');
  }),
];

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describeConsole(
  'secrets of accounts and sign-ins',
  (console) => {
    let provider: AuthorizationServer;
    let receiver: Receiver;
    /** By name. */
    const secrets = new Map<string, string>();
    const names = { account: '', attempt: '', source: '', listener: '', webhook: '', component: '' };
    const responses: string[] = [];
    const folder = mkdtempSync(join(tmpdir(), 'tributary-secrets-'));

    /** The names of secrets in a text that must have the marker. */
    function expectNone(output: string, text: string, marker: string): void {
      expect(text.includes(marker), `${output} has the marker ${marker}`).toBe(true);
      const found = [...secrets].filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)));
      expect(
        found.map(([name]) => name),
        output,
      ).toEqual([]);
    }

    async function signIn(body: Record<string, string>): Promise<string> {
      const { api } = console;
      const { url, attempt_id: attempt } = (await api.post('/accounts/connect', body)).body.data;
      names.attempt = attempt;
      const browser = new BrowserClient();
      const opened = await browser.get(url);
      const back = provider.consent(opened.location);
      const question = await browser.get(back);
      const count = secrets.size;
      secrets.set(`token of the address ${count}`, new URL(url).pathname.split('/').at(-1) ?? '');
      for (const name of ['state', 'code']) secrets.set(`${name} ${count}`, back.searchParams.get(name) ?? '');
      for (const value of browser.cookies.values()) secrets.set(`cookie ${count}`, value);
      const [, form = ''] = /<input type="hidden" name="[^"]+" value="([^"]{20,})"/.exec(question.text) ?? [];
      secrets.set(`value of the form ${count}`, form);
      const done = await browser.submit(question);
      responses.push(done.text);
      const state = await api.get(`/accounts/connect/${attempt}`);
      expect(state.body.data.status, state.text).toBe('connected');
      return state.body.data.account_id;
    }

    /** A provider that repeats the request in its refusal. */
    const repeating = () => ({
      status: 400,
      body: {
        error: 'temporarily_unavailable',
        error_description: `refused ${JSON.stringify(provider.tokenRequests.at(-1))} ${CLIENT_SECRET}`,
      },
    });
    const renewals = () => provider.tokenRequests.filter(({ grant_type: type }) => type === 'refresh_token').length;
    const send = async (endpoint: string, n: number) => {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          n,
          marker: MARKER,
          repeats: n === 0 ? [] : provider.issued.map((each) => each.accessToken).slice(-n),
        }),
      });
      responses.push(JSON.stringify([...response.headers]), await response.text());
      return response.status;
    };

    beforeAll(async () => {
      const { api, cloud } = console;
      provider = await AuthorizationServer.start();
      receiver = await Receiver.start();
      // Deliveries wait in the queue of retries and in the log.
      receiver.respond = (index) => ({ status: index % 2 === 0 ? 500 : 200, body: MARKER });
      await registerTestClient(cloud, { clientSecret: CLIENT_SECRET, settings: provider.settings });

      // A sign-in that its provider refuses, in the words of the request.
      const refused = (await api.post('/accounts/connect', { app: 'acme' })).body.data;
      const browser = new BrowserClient();
      const opened = await browser.get(refused.url);
      provider.response = repeating;
      const page = await browser.get(provider.consent(opened.location));
      responses.push(page.text, (await api.get(`/accounts/connect/${refused.attempt_id}`)).text);
      provider.response = undefined;

      provider.expiresIn = 1;
      names.account = await signIn({ app: 'acme', name: 'A-name-that-may-be-seen' });
      const { body } = await api.post('/sources', {
        component_code: COMPONENT,
        name: 'A source',
        configured_props: { app: { authProvisionId: names.account } },
      });
      names.source = body.data.id;
      names.component = body.data.component_id;
      names.listener = (await api.post('/sources', { component_code: LISTENER, name: 'B' })).body.data.id;
      names.webhook = (await api.post('/webhooks', undefined, { query: { url: receiver.url } })).body.data.id;
      for (const listener of [names.listener, names.webhook])
        for (const stream of ['', '$errors', '$logs'])
          await api.post('/subscriptions', undefined, {
            query: { emitter_id: names.source, listener_id: listener, event_name: stream },
          });

      const { endpoint_url: endpoint } = body.data.configured_props.http;
      await send(endpoint, 0);
      const first = provider.issued.length;
      for (let n = 0; n < 2; n += 1) {
        const before = renewals();
        await until('a renewal', async () => {
          await send(endpoint, provider.issued.length - first);
          return renewals() > before;
        });
      }
      provider.response = repeating;
      await until('a renewal is refused', async () => (await send(endpoint, 1)) === 503);
      provider.response = undefined;
      await signIn({ account_id: names.account });
      provider.response = () => ({ status: 400, body: { error: 'invalid_grant' } });
      await until('the account needs a new sign-in', async () => (await send(endpoint, 1)) === 503);
      await until('an attempt of a delivery failed', () => receiver.received.length > 3);

      secrets.set("the client's secret", CLIENT_SECRET);
      for (const [n, { accessToken, refreshToken }] of provider.issued.entries()) {
        secrets.set(`access token ${n}`, accessToken);
        secrets.set(`refresh token ${n}`, refreshToken);
      }
      for (const [n, { code_verifier: verifier }] of provider.tokenRequests.entries())
        if (verifier !== undefined) secrets.set(`verifier ${n}`, verifier);
      for (const [name, secret] of secrets) expect(secret.length, name).toBeGreaterThan(15);
      expect(provider.issued.length).toBeGreaterThan(3);
    });
    afterAll(async () => {
      await provider.stop();
      await receiver.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    test('are in no line of the log', () => {
      const lines = console.cloud.logs.map(({ text }) => text).join('\n');
      expectNone('the log', lines, names.account);
      for (const operation of ['connect.open', 'connect.callback', 'connect.confirm', 'account.renewal'])
        expect(lines).toContain(operation);
    });

    test('are in no response, event, error or delivery of the API', async () => {
      const { api } = console;
      const ids: Record<string, string> = {
        accounts: names.account,
        sources: names.source,
        webhooks: names.webhook,
        components: names.component,
        connect: names.attempt,
      };
      const read: string[] = [];
      const get = async (path: string, query = {}) => {
        const response = await api.get(path, query);
        if (response.status === 200) read.push(path);
        responses.push(response.text);
        return response;
      };
      const { body } = await get(`/webhooks/${names.webhook}/deliveries`);
      const delivery: string = body.data[0].id;
      for (const [path, operations] of Object.entries(api.document.paths)) {
        // A live stream has no end; it shows the events that are read below. Sign-ins of people redirect.
        if (!('get' in operations) || path.endsWith('/sse') || path.startsWith('/v1/session/')) continue;
        const parts = path.replace(/^\/v1/, '').split('/');
        const filled = parts.map((part, at) => {
          if (part === '{delivery_id}') return delivery;
          return /^\{.*\}$/.test(part) ? (ids[parts[at - 1] ?? ''] ?? 'none') : part;
        });
        await get(filled.join('/'), { expand: 'event' });
      }
      for (const stream of ['', '$errors', '$logs'])
        for (const id of [names.source, names.listener])
          await get(`/sources/${id}/event_summaries`, { event_name: stream, expand: 'event', limit: 100 });
      await get(`/webhooks/${names.webhook}/deliveries/${delivery}`, { expand: 'event' });
      expectNone('the API', responses.join('\n'), MARKER);
      expect(responses.join()).toContain('account_expired');
      expect(responses.join()).toContain('(status 400, temporarily_unavailable)');
      expect(read).toEqual(
        expect.arrayContaining([
          '/users/me',
          '/apps',
          `/accounts/${names.account}`,
          `/accounts/connect/${names.attempt}`,
          `/sources/${names.source}`,
        ]),
      );
    });

    test('are in no webhook, with its trace', () => {
      const sent = receiver.received.map(({ url, headers, body }) => JSON.stringify([url, headers, body]));
      expectNone('deliveries', sent.join('\n'), MARKER);
      expect(sent.join()).toContain('traceparent');
    });

    test('are in no export and no output of commands', async () => {
      const env = { TRIBUTARY_URL: console.cloud.origin, TRIBUTARY_API_KEY: console.cloud.key };
      const run = async (...words: string[]) => {
        const { code, out, error } = await runCommand(words, { env, cwd: folder });
        expect(code, `${words.join(' ')}: ${error}`).toBe(0);
        return out + error;
      };
      expectNone('the export', await run('export'), 'A source');
      expectNone('the accounts', await run('accounts', 'list', '--json'), names.account);
      expectNone('the account', await run('accounts', 'get', names.account, '--json'), names.account);
      const operator = operatorAt(console.cloud);
      expectNone('the clients', await adminOutput(operator, ['oauth-clients', 'list']), 'acme');
    });

    test('are on the disk only encrypted: in no item, queue message, schedule or object', () => {
      const { dataDir } = console.cloud;
      const files = filesBelow(dataDir);
      expect(files.length).toBeGreaterThan(3);
      // The journal has every write since the start, also of messages that were deleted.
      const journal = files.filter((file) => file.endsWith('.journal'));
      expect(journal).toHaveLength(1);
      for (const file of files) {
        const text = readFileSync(file, 'latin1');
        expectNone(file, text, journal.includes(file) ? MARKER : '');
      }
      const [text = ''] = journal.map((file) => readFileSync(file, 'latin1'));
      for (const written of [names.account, '"renewal"', 'oc_', 'Retries']) expect(text).toContain(written);
    });

    test('are in no page, storage or cookie of the console', async () => {
      const markers = {
        '/console': 'A source',
        '/console/accounts': 'A-name-that-may-be-seen',
        [`/console/sources/${names.source}`]: 'A source',
        [`/console/webhooks/${names.webhook}`]: receiver.url,
      };
      for (const [path, marker] of Object.entries(markers)) {
        const page = await console.open(path);
        await loaded(page);
        await page.getByText(marker).first().waitFor();
        const kept = await page.evaluate(
          `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])`,
        );
        const cookies = JSON.stringify(await page.context().cookies());
        expect(kept).toContain(console.cloud.key);
        const shown = `${await page.content()}\n${String(kept)}\n${cookies}`;
        expectNone(path, shown, marker);
      }
    });
  },
  () => ({ assembly: testAssembly({ logLevel: 'debug' }) }),
);
