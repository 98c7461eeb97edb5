import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scriptsOf } from '../../../../functions/builder/syntax-tree.ts';
import { authReadsOf } from '../../../../functions/builder/auth/auth-reads.ts';
import { compile } from '../../../../functions/builder/compile.ts';
import { componentFiles } from '../../../../functions/builder/files/component-files.ts';
import type { FetchFile } from '../../../../functions/builder/files/fetch-file.ts';
import { sourcesAt } from '../../../../functions/builder/files/source-files.ts';
import { ownModules } from '../../../../functions/builder/own-modules.ts';
import { withAuthFields } from '../../../../shared/domain/component/auth-fields.ts';
import { PropDefinition } from '../../../../shared/domain/component/prop-definition.ts';
import { providerOfApp } from '../../../../shared/domain/oauth/providers.ts';
import { seenByNode } from '../../../programs/compat/plain-node.ts';
import { PIPEDREAM } from '../../../support/pipedream.ts';

const OAUTH_1 = ['oauth_access_token', 'oauth_refresh_token', 'oauth_signer_uri'];
const TOKEN = ['oauth_access_token'];

/**
 * The fields that sources of an app read, all together: app → fields. Checked against the code of the components by
 * eye.
 */
const FIELDS: Record<string, readonly string[]> = {
  airtable: ['api_key'],
  asana: ['oauth_access_token', 'oauth_refresh_token'],
  aws: ['accessKeyId', 'secretAccessKey'],
  bitbucket: TOKEN,
  calendly: ['api_key'],
  dev_to: ['api_key'],
  discord: ['guild_id', 'oauth_uid'],
  discord_bot: ['bot_token'],
  dropbox: TOKEN,
  faunadb: ['secret'],
  formstack: ['oauth_access_token', 'oauth_refresh_token'],
  ghost_org_admin_api: ['admin_api_key', 'admin_api_url'],
  ghost_org_content_api: ['admin_domain', 'content_api_key'],
  github: TOKEN,
  gitlab: ['oauth_access_token', 'oauth_uid'],
  google_calendar: ['oauth_access_token', 'oauth_refresh_token'],
  google_cloud: ['key_json'],
  google_drive: TOKEN,
  google_sheets: TOKEN,
  gorgias: ['api_key', 'domain', 'email'],
  hacker_news: [],
  here: ['apikey'],
  http: [],
  hubspot: TOKEN,
  intercom: TOKEN,
  jotform: ['api_key'],
  netlify: TOKEN,
  npm: [],
  pagerduty: TOKEN,
  pipedream: ['api_key'],
  rss: [],
  salesforce_rest_api: ['instance_url', 'oauth_access_token', 'yourinstance'],
  sendgrid: ['api_key'],
  sentry: ['auth_token'],
  shopify: ['oauth_access_token', 'shop_id'],
  slack: ['oauth_access_token', 'oauth_uid'],
  // Hands its `$auth` on whole.
  snowflake: [],
  spotify: TOKEN,
  stack_exchange: TOKEN,
  strava: TOKEN,
  stripe: ['api_key'],
  supersaas: ['account', 'api_key'],
  telegram_bot_api: ['token'],
  trello: [...OAUTH_1, 'oauth_uid'],
  twilio: ['AccountSid', 'Secret', 'Sid'],
  twitter: OAUTH_1,
  twitter_developer_app: ['access_token', 'access_token_secret', 'api_key', 'api_secret_key'],
  typeform: TOKEN,
  webflow: TOKEN,
  yahoo_fantasy_sports: TOKEN,
  yotpo: ['app_key', 'oauth_access_token'],
  youtube_data_api: TOKEN,
  zoom: TOKEN,
  zoom_admin: [],
};

/**
 * The code of these was read: Google's library works without, Asana's and Formstack's components recognise their sender
 * by it.
 */
test('a refresh token is read by apps of OAuth 1 and three others, of which one works without', () => {
  const reading = Object.keys(FIELDS).filter(
    (app) => FIELDS[app]?.includes('oauth_refresh_token') && !FIELDS[app].includes('oauth_signer_uri'),
  );
  expect(reading).toEqual(['asana', 'formstack', 'google_calendar']);
  const without = reading.filter((app) => providerOfApp(app)?.unneededFields?.includes('oauth_refresh_token'));
  expect(without).toEqual(['google_calendar']);
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'auth-fields-'));
  for (const name of ['platform.mjs', 'types.mjs', 'prelude.js'])
    writeFileSync(join(folder, name), 'export const axios = {}, DEFAULT_POLLING_SOURCE_TIMER_INTERVAL = 900;');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fetchFile: FetchFile = (address) => {
  const path = join(PIPEDREAM, new URL(address).pathname);
  if (!existsSync(path) || !statSync(path).isFile()) return Promise.resolve({ absent: address });
  const text = readFileSync(path, 'utf8');
  return Promise.resolve({ file: { address, requested: address, text, isPage: false } });
};

/**
 * The app props of a component, each with what its code reads. Packages are not installed: their code is not looked at.
 */
async function appPropsOf(path: string, props: readonly PropDefinition[]) {
  const own = ownModules(folder);
  const sources = await sourcesAt(`https://component.invalid/${path}`, componentFiles(fetchFile));
  const { imports } = await compile({ sources, own, installed: undefined });
  return withAuthFields(
    props,
    authReadsOf(await scriptsOf(sources.all()), { entry: sources.entry.id, imports }),
  ).filter(({ type }) => type === 'app');
}

test('the app props of 243 third-party sources ask for exactly the fields that their code reads', async () => {
  const found = new Map<string, Set<string>>();
  for (const { path, props } of await seenByNode()) {
    for (const { app, authFields = [] } of await appPropsOf(path, PropDefinition.array().parse(props))) {
      const fields = found.get(String(app)) ?? new Set();
      found.set(String(app), fields);
      for (const field of authFields) fields.add(field);
    }
  }
  expect(Object.fromEntries([...found].map(([app, fields]) => [app, [...fields].sort()]))).toEqual(FIELDS);
});
