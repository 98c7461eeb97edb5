import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { choose, describeConsole, loaded } from '../../support/console-browser.ts';
import { Receiver } from '../../support/receiver.ts';
import { looksRight } from '../../support/looks-right.ts';
import { WEBHOOK_TEXTS } from '../../../shared/domain/setting-texts.ts';

const ECHO = `export default { name: 'Echo', version: '1', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body); } };`;
const KEY = 'Bearer key-of-the-owner';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const textbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const status = (page: Page) => page.getByRole('status');

describeConsole('the settings of webhooks', (console) => {
  let receiver: Receiver;
  const made = { source: '', endpoint: '', webhook: '' };
  beforeAll(async () => {
    receiver = await Receiver.start();
    const { body } = await console.api.post('/sources', { component_code: ECHO, name: 'Orders' });
    Object.assign(made, { source: body.data.id, endpoint: body.data.endpoint_url });
    return () => receiver.stop();
  });

  const send = (body: object) =>
    fetch(made.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const stored = async () => (await console.api.get(`/webhooks/${made.webhook}`)).body.data;

  test('a new webhook is subscribed at its creation, with filter, headers and rate limit', async () => {
    const page = await console.open('/console/webhooks/new');
    await loaded(page);
    await textbox(page, 'URL').fill(receiver.url);
    await textbox(page, 'Name').fill('Shop');
    await choose(page, 'Subscribe to', 'Orders');
    await textbox(page, 'Filter').fill('{"paid": [true]}');
    await page.getByText('Rate limit, retries, order, format, target and headers').click();
    await textbox(page, 'Rate limit').fill('50');
    await button(page, 'Add header').click();
    await textbox(page, 'Header name').fill('authorization');
    await textbox(page, 'Header value').fill(KEY);
    await looksRight(page, 'new-webhook');
    await button(page, 'Create webhook').click();
    await page.getByRole('region', { name: 'Signing secret' }).waitFor();
    await page.getByText('gets every event from now on').waitFor();
    await looksRight(page, 'webhook-subscribed');
    await page.getByRole('link', { name: 'Open the webhook' }).click();
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
    made.webhook = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await stored()).toMatchObject({ name: 'Shop', rate_limit: 50, headers: { authorization: KEY } });
    await send({ n: 1, paid: false });
    await send({ n: 2, paid: true });
    await expect.poll(() => receiver.received.map(({ body }) => body)).toEqual(['{"n":2,"paid":true}']);
    expect(receiver.received[0]?.headers.authorization).toBe(KEY);
  });

  test('a refused subscription shows the secret of the webhook all the same', async () => {
    const page = await console.open(`/console/webhooks/new?emitter=${made.source}`);
    await loaded(page);
    await textbox(page, 'URL').fill(receiver.url);
    await textbox(page, 'Name').fill('Other');
    await textbox(page, 'Filter').fill('no pattern');
    await button(page, 'Create webhook').click();
    await page.getByRole('alert').getByText('The filter must be a JSON object').waitFor();
    expect((await console.api.get('/users/me/webhooks', { q: 'Other' })).body.data).toEqual([]);
    await textbox(page, 'Filter').fill('{"n": 1}');
    await button(page, 'Create webhook').click();
    await page.getByRole('region', { name: 'Signing secret' }).waitFor();
    await page.getByRole('alert').getByText('filter.n').first().waitFor();
    await page.getByRole('link', { name: 'Subscribe it' }).waitFor();
    await looksRight(page, 'webhook-not-subscribed');
  });

  test('the tab Settings changes what a person edits, and says what the API refuses', async () => {
    const page = await console.open(`/console/webhooks/${made.webhook}`);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('form', { name: 'Settings' }).waitFor();
    expect(await page.getByRole('link', { name: 'Settings', exact: true }).getAttribute('aria-current')).toBe('page');
    const shownAs = () =>
      page.evaluate("getComputedStyle(document.querySelectorAll('.header-row input')[1]).webkitTextSecurity");
    expect(await shownAs()).toBe('disc');
    const { active: _, ...shown } = WEBHOOK_TEXTS;
    for (const text of Object.values(shown)) await page.getByText(text).waitFor();
    await button(page, 'Show values').click();
    expect(await shownAs()).toBe('none');
    const limitProblem = page.getByRole('alert').getByText('Rate limit: enter a whole number');
    await textbox(page, 'Rate limit').fill('many');
    await button(page, 'Save').click();
    await limitProblem.waitFor();
    await textbox(page, 'Rate limit').press('End');
    await page.keyboard.type('y');
    await limitProblem.waitFor({ state: 'detached' });
    await page.keyboard.type('z');
    await button(page, 'Save').click();
    await limitProblem.waitFor();
    // The box tells its change right before the form is sent.
    await textbox(page, 'Rate limit').press('End');
    await page.keyboard.type('!');
    await page.keyboard.press('Enter');
    await page.evaluate('new Promise((done) => setTimeout(done))');
    await expect.poll(() => limitProblem.count()).toBe(1);
    await textbox(page, 'Rate limit').fill('50');
    await textbox(page, 'URL').fill('example.org');
    await button(page, 'Save').click();
    const refusal = await console.api.put(`/webhooks/${made.webhook}`, { url: 'example.org' });
    await page.getByRole('alert').getByText(refusal.body.error).waitFor();
    await looksRight(page, 'webhook-settings-refused');
    await textbox(page, 'URL').fill(`${receiver.url}v2`);
    await textbox(page, 'Name').fill('Billing');
    await textbox(page, 'Description').fill('Invoices');
    await textbox(page, 'Rate limit').fill('');
    const format = page.getByRole('combobox', { name: 'Format', exact: true });
    await format.selectOption('CloudEvents');
    await button(page, 'Add header').click();
    await textbox(page, 'Header name').nth(1).fill('x-team');
    await textbox(page, 'Header value').nth(1).fill('blue');
    await looksRight(page, 'webhook-settings');
    await button(page, 'Save').click();
    await status(page).getByText('Saved.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor();
    expect(await stored()).toMatchObject({
      url: `${receiver.url}v2`,
      name: 'Billing',
      description: 'Invoices',
      rate_limit: null,
      format: 'cloudevents',
      headers: { authorization: KEY, 'x-team': 'blue' },
    });
    await format.selectOption('Event');
    await button(page, 'Remove the header x-team').click();
    await button(page, 'Save').click();
    await status(page).getByText('Saved.').waitFor();
    await expect.poll(async () => (await stored()).headers).toEqual({ authorization: KEY });
    expect(await stored()).toMatchObject({ format: 'event' });
  });

  test('a new webhook has the target on AWS, the retries and the order of the form', async () => {
    const page = await console.open('/console/webhooks/new');
    await loaded(page);
    await textbox(page, 'URL').fill('https://events.us-east-1.amazonaws.com/default');
    await textbox(page, 'Name').fill('New bus');
    await page.getByText('Rate limit, retries, order, format, target and headers').click();
    await textbox(page, 'Retries').fill('5, 60');
    await page.getByRole('checkbox', { name: 'In order' }).check();
    await textbox(page, 'Target on AWS').fill('arn:aws:events:us-east-1:000000000000:event-bus/default');
    await button(page, 'Create webhook').click();
    await page.getByRole('region', { name: 'Signing secret' }).waitFor();
    const [webhook] = (await console.api.get('/users/me/webhooks', { q: 'New bus' })).body.data;
    expect(webhook).toMatchObject({
      target: { kind: 'event_bus', arn: 'arn:aws:events:us-east-1:000000000000:event-bus/default' },
      retry_seconds: [5, 60],
      ordered: true,
    });
  });

  test('a webhook with a target on AWS shows its ARN, and its settings end it', async () => {
    const arn = 'arn:aws:events:us-east-1:000000000000:event-bus/default';
    const url = 'https://events.us-east-1.amazonaws.com/default';
    const target = { kind: 'event_bus', arn };
    const { body } = await console.api.post('/webhooks', { url, target, name: 'Bus' });
    const page = await console.open(`/console/webhooks/${body.data.id}`);
    await page.getByText('Target on AWS', { exact: true }).waitFor();
    await page.getByText(arn).waitFor();
    await looksRight(page, 'webhook-with-target');
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await expect.poll(() => textbox(page, 'Target on AWS').inputValue()).toBe(arn);
    await textbox(page, 'Target on AWS').fill('orders');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('Target: enter the ARN').waitFor();
    await looksRight(page, 'webhook-target-refused');
    await textbox(page, 'Target on AWS').fill('');
    await textbox(page, 'URL').fill('https://a.example/');
    await button(page, 'Save').click();
    await status(page).getByText('Saved.').waitFor();
    expect((await console.api.get(`/webhooks/${body.data.id}`)).body.data).toMatchObject({ target: null });
  });

  test('an attempt shows its headers without secrets, and the location of a redirect', async () => {
    receiver.respond = (_, { headers }) => ({
      status: 302,
      headers: {
        location: 'https://moved.example/hook',
        'set-cookie': 'session=cookie-of-the-receiver',
        'x-echo': headers.authorization ?? '',
      },
    });
    await send({ n: 3, paid: true });
    const failed = await expect
      .poll(async () => {
        const { body } = await console.api.get(`/webhooks/${made.webhook}/deliveries`, {
          outcome: 'rejected',
        });
        return body.data[0]?.id;
      })
      .toBeDefined()
      .then(async () => {
        const { body } = await console.api.get(`/webhooks/${made.webhook}/deliveries`, {
          outcome: 'rejected',
        });
        return body.data[0].id as string;
      });
    const page = await console.open(`/console/webhooks/${made.webhook}/deliveries/${failed}`);
    const attempts = page.getByRole('table', { name: 'Attempts' });
    await attempts.getByText('https://moved.example/hook').first().waitFor();
    const row = attempts.getByRole('button', { name: 'Attempt 1', exact: true });
    if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
    const signature = receiver.received.at(-1)?.headers['webhook-signature'];
    await page.getByRole('region', { name: 'Request of attempt 1' }).getByText('webhook-signature').waitFor();
    const response = page.getByRole('region', { name: 'Response of attempt 1' });
    await response.getByText('set-cookie').waitFor();
    await response.getByText('x-echo').waitFor();
    const text = await page.getByRole('main').innerText();
    for (const secret of ['cookie-of-the-receiver', 'key-of-the-owner', String(signature).slice(3)])
      expect(text).not.toContain(secret);
    await looksRight(page, 'delivery-headers');
  });
});
