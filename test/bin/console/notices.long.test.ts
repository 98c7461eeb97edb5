import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { NOTICE_NAMES } from '../../../shared/domain/notice/notice-names.ts';
import { choose, describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { Receiver } from '../../support/receiver.ts';

const SLACK = 'https://hooks.slack.com/services/T0/B0/secret';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const address = (page: Page) => page.getByRole('textbox', { name: 'Or the address of a channel', exact: true });
const alert = (page: Page, text: string) => page.getByRole('alert').getByText(text).waitFor();

describeConsole('the page of notices', (console) => {
  let receiver: Receiver;
  let notices: string;
  beforeAll(async () => {
    receiver = await Receiver.start();
    await console.api.post('/webhooks', { url: receiver.url, name: 'Alerts' });
    notices = (await console.api.get('/users/me/notices')).body.data.id;
    return () => receiver.stop();
  });
  const subscriptions = async () => (await console.api.get('/users/me/subscriptions')).body.data;
  const slackHooks = async () =>
    (await console.api.get('/users/me/webhooks')).body.data.filter(({ url }: { url: string }) => url === SLACK);

  test('a webhook gets the ticked kinds, then a test', async () => {
    const page = await console.open('/console');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Notices' }).click();
    await page.getByText('No notices are sent yet.').waitFor();
    await button(page, 'Add notices').click();
    await alert(page, 'Choose a webhook, or give the address of a channel.');
    await looksRight(page, 'notices-incomplete');
    await choose(page, 'Webhook', 'Alerts');
    for (const name of ['Daily quota used up', 'Webhook works again'])
      await page.getByRole('checkbox', { name, exact: true }).uncheck();
    await button(page, 'Add notices').click();
    await page.getByRole('status').getByText('The notices were added.').waitFor();
    const table = page.getByRole('table', { name: 'Notices', exact: true });
    await table.getByRole('link', { name: 'Alerts' }).waitFor();
    await looksRight(page, 'notices');
    const kinds = NOTICE_NAMES.filter((name) => !['quota.reached', 'webhook.recovered'].includes(name));
    expect((await subscriptions()).map((each: { event_name: string }) => each.event_name).sort()).toEqual(kinds.sort());
    await button(page, 'Send test').click();
    await page.getByRole('status').getByText('The test was delivered: status 200').waitFor();
    expect(receiver.bodies).toMatchObject([{ name: 'notices', what: expect.stringContaining('test') as string }]);
  });

  test('an address tells its app; a failure half-way can be repeated', async () => {
    const page = await console.open('/console/notices');
    await loaded(page);
    await address(page).fill('https://chat.example/hook');
    await button(page, 'Add notices').click();
    await alert(page, 'Choose the app of the address.');
    await address(page).fill(SLACK);
    const app = page.getByRole('combobox', { name: 'App', exact: true });
    expect(await app.inputValue()).toBe('slack');
    let refused = false;
    await page.route('**/v1/subscriptions', async (route) => {
      if (refused || route.request().postDataJSON()?.event_name !== 'source.behind') return route.continue();
      refused = true;
      await route.fulfill({ status: 409, json: { error: 'The service is busy.', code: 'busy', details: [] } });
    });
    await button(page, 'Add notices').click();
    await alert(page, 'The service is busy.');
    await looksRight(page, 'notices-half-way');
    expect(await slackHooks()).toMatchObject([{ name: 'Slack', format: 'slack' }]);
    expect(await address(page).inputValue()).toBe(SLACK);
    await button(page, 'Add notices').click();
    await page.getByRole('status').getByText('The notices were added.').waitFor();
    await page.getByText('All kinds', { exact: true }).waitFor();
    const [hook, ...more] = await slackHooks();
    expect(more).toEqual([]);
    const own = (await subscriptions()).filter((each: { listener_id: string }) => each.listener_id === hook.id);
    expect(own).toHaveLength(NOTICE_NAMES.length);
  });

  test('a webhook of the address with another format is named', async () => {
    const [hook] = await slackHooks();
    await console.api.put(`/webhooks/${hook.id}`, { format: 'event' });
    const page = await console.open('/console/notices');
    await loaded(page);
    await address(page).fill(SLACK);
    await button(page, 'Add notices').click();
    await alert(page, 'The webhook Slack of this address has the format Event.');
  });

  test('the emitter is called notices, and leads to the page; Remove ends its subscriptions', async () => {
    const page = await console.open('/console/subscriptions?q=source.behind');
    await page
      .getByRole('table', { name: 'Subscriptions', exact: true })
      .getByRole('link', { name: 'notices' })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Notices' }).waitFor();
    for (const name of ['Alerts', 'Slack']) {
      await page
        .getByRole('row', { name: new RegExp(name) })
        .getByRole('button', { name: 'Remove' })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByRole('status').getByText(`${name} gets no more notices.`).waitFor();
    }
    await page.getByText('No notices are sent yet.').waitFor();
    expect((await subscriptions()).filter((each: { emitter_id: string }) => each.emitter_id === notices)).toEqual([]);
    expect(await slackHooks()).toHaveLength(1);
  });
});
