import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { addressIn, makeContent } from '../../support/console-content.ts';
import { dialogTitles } from '../../support/console-routes.ts';
import { looksRight } from '../../support/looks-right.ts';
import { notReachedByTab } from '../../support/reached-by-tab.ts';

/** Opens a button by keyboard. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().focus();
  await page.keyboard.press('Enter');
}

async function choose(page: Page, name: string, menu = 'More actions'): Promise<void> {
  await press(page, menu);
  await page.getByRole('menuitem', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
}

async function typeCode(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').waitFor();
  await page.getByRole('textbox', { name: 'Code' }).focus();
  await page.keyboard.type(text);
}

async function openEvent(page: Page): Promise<void> {
  await press(page, /Ada/);
  await page.getByRole('figure', { name: 'Event data' }).waitFor();
}

const SUBSCRIPTIONS = '/console/subscriptions';
const SOURCE = '/console/sources/SOURCE';

/** The dialog in the code, its title here, an address, and what opens it. */
const DIALOGS: readonly (readonly [
  dialog: string,
  shown: string,
  address: string,
  open: (page: Page) => Promise<void>,
])[] = [
  ['finder: Find', 'Find', '/console', (page) => page.keyboard.press('Control+k')],
  ['key-help: Keys', 'Keys', '/console', (page) => page.keyboard.press('?')],
  ['send-request-dialog: Send a request', 'Send a request', SOURCE, (page) => press(page, 'Send a request')],
  [
    'send-event-dialog: Send an event',
    'Send an event',
    '/console/sources/QUIET',
    (page) => press(page, 'Send an event…'),
  ],
  ['source-tags: Tags', 'Tags', SOURCE, (page) => press(page, 'Add tags')],
  ['clear-stream: Clear this stream?', 'Clear this stream?', SOURCE, (page) => press(page, 'Clear stream')],
  ['source-actions: Delete this source?', 'Delete this source?', SOURCE, (page) => choose(page, 'Delete')],
  [
    'waiting-line: Drop the waiting triggers?',
    'Drop the waiting triggers?',
    SOURCE,
    (page) => press(page, 'Drop waiting'),
  ],
  [
    'save-sample: Save as sample',
    'Save as sample',
    SOURCE,
    async (page) => {
      await openEvent(page);
      await press(page, 'Save as sample…');
    },
  ],
  [
    'send-again-dialog: Send again, edited',
    'Send again, edited',
    SOURCE,
    async (page) => {
      await openEvent(page);
      await press(page, 'Send again, edited…');
    },
  ],
  [
    'event-actions: Send to localhost',
    'Send to localhost',
    SOURCE,
    async (page) => {
      await openEvent(page);
      await press(page, 'Send to localhost…');
    },
  ],
  [
    'unsaved-guard: Leave without saving?',
    'Leave without saving?',
    `${SOURCE}/code`,
    async (page) => {
      await typeCode(page, '// changed');
      await page.getByRole('link', { name: 'Accounts' }).focus();
      await page.keyboard.press('Enter');
    },
  ],
  [
    'component-sections: Replace your code?',
    'Replace your code?',
    '/console/sources/new',
    async (page) => {
      await typeCode(page, '// mine');
      await page.getByRole('combobox', { name: 'Start from' }).focus();
      await page.keyboard.type('cron');
      await page.keyboard.press('Enter');
    },
  ],
  ['webhook-actions: Delete …?', 'Delete Billing?', '/console/webhooks/WEBHOOK', (page) => choose(page, 'Delete')],
  [
    'account-actions: Delete …?',
    'Delete Work?',
    '/console/accounts',
    (page) => choose(page, 'Delete', 'Actions of Work'),
  ],
  ['account-actions: Edit …', 'Edit Work', '/console/accounts', (page) => choose(page, 'Edit', 'Actions of Work')],
  ['connect-provider: titleOf', 'Connect account', '/console/accounts', (page) => press(page, 'Connect account')],
  [
    'connect-provider: titleOf',
    'Connect an account of github',
    '/console/sources/new?key=stars',
    (page) => press(page, 'Connect…'),
  ],
  [
    'connect-provider: titleOf',
    'Reconnect Work',
    '/console/accounts',
    async (page) => {
      await page.route('**/v1/users/me/accounts?*', async (route) => {
        const response = await route.fetch();
        const body: { data: readonly object[] } = await response.json();
        await route.fulfill({
          response,
          json: { ...body, data: body.data.map((each) => ({ ...each, kind: 'oauth' })) },
        });
      });
      await page.reload();
      await loaded(page);
      await choose(page, 'Reconnect', 'Actions of Work');
    },
  ],
  [
    'recover-dialog: Recover deliveries',
    'Recover deliveries',
    '/console/webhooks/WEBHOOK',
    (page) => press(page, 'Recover…'),
  ],
  [
    'remove-subscription: Remove this subscription?',
    'Remove this subscription?',
    `${SUBSCRIPTIONS}?q=greeter`,
    (page) => press(page, 'Remove'),
  ],
  [
    'auto-subscription-table: Remove this auto-subscription?',
    'Remove this auto-subscription?',
    `${SUBSCRIPTIONS}?q=no-such`,
    (page) => press(page, 'Remove'),
  ],
  [
    'notice-receivers: Remove the notices of …?',
    'Remove the notices of Billing?',
    '/console/notices',
    (page) => press(page, 'Remove'),
  ],
  ['keys-section: Create key', 'Create key', '/console/me', (page) => press(page, 'Create key')],
  [
    'key-actions: Rotate key',
    'Rotate key',
    '/console/me',
    (page) => choose(page, 'Rotate key', 'Actions of First key'),
  ],
  ['key-actions: Delete …?', 'Delete Shop?', '/console/me', (page) => choose(page, 'Delete', 'Actions of Shop')],
];

describeConsole('a dialog', (console) => {
  let content: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    const { api } = console;
    content = await makeContent(console);
    const { WEBHOOK: listener_id = '' } = content;
    await api.post('/auto_subscriptions', undefined, { query: { event_name: '$errors', listener_id } });
    const { id: emitter_id } = (await api.get('/users/me/notices')).body.data;
    await api.post('/subscriptions', { emitter_id, listener_id, event_name: 'source.behind' });
    await api.post('/keys', { name: 'Shop', scopes: ['read'] });
  });

  test('of each title in the code is opened here', () => {
    expect([...new Set(DIALOGS.map(([dialog]) => dialog))].sort()).toEqual(dialogTitles());
  });

  test.each(DIALOGS)('%s (%s) is used by keyboard alone, and is accessible', async (_, shown, address, open) => {
    const page = await console.open('/console/nothing');
    // Its triggers wait.
    await page.route(`**/v1/sources/${content['SOURCE']}`, async (route) => {
      const response = await route.fetch();
      const body: { data: object } = await response.json();
      await route.fulfill({ response, json: { data: { ...body.data, waiting: 2, oldest_waiting_ms: Date.now() } } });
    });
    await page.goto(console.cloud.origin + addressIn(content, address));
    await loaded(page);
    const dialog = page.getByRole('dialog', { name: shown, exact: true });
    await open(page);
    await dialog.locator(':focus').waitFor();
    expect(await notReachedByTab(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.goto(console.cloud.origin + addressIn(content, address));
    await loaded(page);
    await open(page);
    await dialog.waitFor();
    // A telephone has no Escape.
    await page.setViewportSize({ width: 390, height: 844 });
    await dialog.getByRole('button', { name: /^(Cancel|Close|Stay|Keep my code)$/ }).waitFor();
    await looksRight(page, `dialog-${shown.toLowerCase().replace(/[^a-z]+/g, '-')}`);
  });
});
