import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inPlainNode } from '../../../programs/compat/plain-node.ts';
import { PIPEDREAM } from '../../../support/pipedream.ts';
import { type Workbench, workbench } from './workbench.ts';
import { trustRegistry } from '../../../support/registry-certificates.ts';

trustRegistry();

/** Third-party components; the packages that they import come from the public registry. */
const examples = ['examples', 'interfaces/http/examples'].flatMap((folder) =>
  readdirSync(join(PIPEDREAM, folder))
    .filter((name) => name.endsWith('.js'))
    .map((name) => `${folder}/${name}`),
);

/** `sample.both.test.ts` and `npm run compat` build more of them. */
const sources = [
  'components/rss/sources/new-item-in-feed/new-item-in-feed.js',
  'components/http/sources/new-requests/new-requests.js',
  'components/http/sources/new-requests-payload-only/new-requests-payload-only.js',
  'components/hacker_news/sources/new-stories-by-keyword/new-stories-by-keyword.js',
  'components/github/sources/new-commit/new-commit.js',
  'components/airtable/sources/new-records/new-records.js',
  'components/calendly/sources/new-event/new-event.js',
  'components/discord/sources/new-message/new-message.js',
  'components/npm/sources/download-counts/download-counts.js',
  'components/spotify/sources/new-playlist/new-playlist.js',
  'components/stripe/sources/custom-webhook-events/custom-webhook-events.js',
  'components/telegram/sources/new-updates/new-updates.js',
  'components/twitter/sources/user-tweets/user-tweets.js',
  'components/typeform/sources/new-submission/new-submission.js',
  'components/zoom/sources/meeting-started/meeting-started.js',
];
/** Describes a component: a placeholder for each function, all other values as they are. */
const SEEN = `JSON.stringify(component, (key, value) => typeof value === 'function' ? 'a function' : value)`;

let bench: Workbench;
beforeAll(async () => {
  bench = await workbench({ environment: { ALLOW_PRIVATE_NETWORK: '1' } });
  for (const path of readdirSync(PIPEDREAM, { recursive: true, encoding: 'utf8' }))
    if (/\.js(?:on)?$/.test(path))
      bench.site.files[`/${path}`] = (_, response) => response.end(readFileSync(join(PIPEDREAM, path)));
});
afterAll(() => bench.close());

test('the fields that a component with packages reads of its account are found', async () => {
  const url = `${bench.site.base}/components/github/sources/new-commit/new-commit.js`;
  const { authReads, packages } = await bench.built({ url });
  expect(packages.length).toBeGreaterThan(1);
  expect(authReads).toEqual([{ names: ['oauth_access_token'], apps: ['github'] }]);
});

describe('components in the wild build as they are, and are what Node sees', () => {
  test.each([...examples, ...sources])('%s', async (path) => {
    const seen = await bench.value({ url: `${bench.site.base}/${path}` }, SEEN);
    const script = `const component = require(process.argv[1]); process.stdout.write(${SEEN})`;
    const plain = await inPlainNode(script, [join(PIPEDREAM, path)]);
    expect(JSON.parse(String(seen))).toEqual(JSON.parse(plain));
  });
});
