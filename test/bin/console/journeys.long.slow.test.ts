import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { tableIn } from '../../support/doc-table.ts';
import { MEANS, type Means, Person } from '../../support/person.ts';
import { NO_RETRY, Receiver } from '../../support/receiver.ts';
import { ECHO } from '../../support/scene.ts';
import { startService, stopService, TEST_KEY } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** The tasks of docs/console.md. */
type Task = 'start' | 'recover' | 'notices' | 'filter';

interface Walk {
  task: Task;
  means: Means;
  steps: number;
  seconds: number;
}

describeConsole('the ways of people', (console) => {
  let receiver: Receiver;
  let endpoint: string;
  const walks: Walk[] = [];
  /** The steps of each task, as docs/console.md has them. */
  const steps = new Map(tableIn('docs/console.md', 'Steps').map(([task = '', , count]) => [task, Number(count)]));

  beforeAll(async () => {
    receiver = await Receiver.start();
    const { data } = (await console.api.post('/sources', { component_code: ECHO, name: 'orders' })).body;
    endpoint = data.endpoint_url;
  });
  afterAll(async () => {
    await receiver.stop();
    process.stdout.write(
      `${walks.map((walk) => `${walk.task}, ${walk.means}: ${walk.steps} steps, ${walk.seconds} s`).join('\n')}\n`,
    );
  });

  const send = (body: object) => fetch(endpoint, { method: 'POST', body: JSON.stringify(body) });
  const open = (means: Means, isSignedOut = false): Promise<Page> =>
    console.open('/console', { width: means === 'touch' ? 390 : 1_440, hasTouch: means === 'touch', isSignedOut });

  /** Keeps the steps and the time of a task, and compares the steps with those of the page. */
  async function walk(task: Task, page: Page, means: Means, way: (person: Person) => Promise<void>) {
    const person = new Person(page, means);
    const startedAt = Date.now();
    await way(person);
    walks.push({ task, means, steps: person.steps, seconds: Math.round((Date.now() - startedAt) / 100) / 10 });
    expect(person.steps, task).toBe(steps.get(`\`${task}\``));
  }

  describe.each(MEANS)('with a %s alone', (means) => {
    test('an event of your own comes after npm start', async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'tributary-journey-'));
      const page = await open(means, true);
      await walk('start', page, means, async (person) => {
        person.step();
        const service = await startService({ dataDir });
        try {
          await page.goto(service.origin);
          await person.write(page.getByRole('textbox', { name: 'API key' }), TEST_KEY);
          await person.press(page.getByRole('button', { name: 'Sign in' }));
          const steps = page.getByRole('region', { name: 'First steps' });
          await person.press(steps.getByRole('link', { name: 'Create a source' }));
          await person.pick('Start from', 'webhook');
          await person.press(page.getByRole('button', { name: 'Create source' }));
          await person.press(page.getByRole('button', { name: 'Send a request' }));
          await person.press(page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }));
          await page.getByRole('list', { name: 'Events' }).getByText('POST /').waitFor();
        } finally {
          await stopService(service);
          rmSync(dataDir, { recursive: true, force: true });
        }
      });
    });

    test('a failing webhook is found on the overview, understood and recovered', async () => {
      const down = await Receiver.start();
      down.respond = () => ({ status: 500, headers: NO_RETRY, body: '{"error":"the disk is full"}' });
      const name = `crm ${means}`;
      const { id } = (await console.api.post('/webhooks', { url: down.url, name })).body.data;
      const [{ id: emitter }] = (await console.api.get('/users/me/sources')).body.data;
      await console.api.post('/subscriptions', { emitter_id: emitter, listener_id: id });
      await send({ type: 'order.created', id: 4 });
      const webhook = async () => (await console.api.get(`/webhooks/${id}`)).body.data;
      await until('the webhook fails', async () => (await webhook()).failing_since_ms !== null);
      const page = await open(means);
      await walk('recover', page, means, async (person) => {
        const problems = page.getByRole('region', { name: 'Needs attention' });
        await person.press(problems.getByRole('link', { name, exact: true }));
        await person.press(page.getByRole('table', { name: 'Deliveries' }).getByRole('link').first());
        await page.getByRole('region', { name: 'Response of attempt 1' }).getByText('the disk is full').waitFor();
        down.respond = () => ({ status: 200 });
        await person.press(page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name }));
        await person.press(page.getByRole('button', { name: 'Try now' }));
        await page.getByRole('status').getByText('It works: what waits is sent now.').waitFor();
      });
      await until('the webhook works', async () => (await webhook()).failing_since_ms === null);
      await console.api.delete(`/webhooks/${id}`);
      await down.stop();
    });

    test('notices go to a channel of Slack', async () => {
      const page = await open(means);
      await loaded(page);
      await walk('notices', page, means, async (person) => {
        await person.press(page.getByRole('link', { name: 'Set up notices' }));
        const address = `${receiver.url}/${means}`;
        await person.write(page.getByRole('textbox', { name: 'Or the address of a channel' }), address);
        await person.select('App', 'Slack');
        await person.press(page.getByRole('button', { name: 'Add notices' }));
        await person.press(page.getByRole('row').getByRole('button', { name: 'Send test' }));
        await page.getByRole('status').getByText('The test was delivered: status 200').waitFor();
      });
      const received = receiver.received.filter(({ url }) => url.endsWith(means));
      expect(received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
        expect.objectContaining({ text: expect.stringContaining('test') as string }),
      ]);
      for (const { id, url } of (await console.api.get('/users/me/webhooks')).body.data)
        if (String(url).endsWith(means)) await console.api.delete(`/webhooks/${id}`);
    });

    test('a filter is pressed together, and a subscription is made with it', async () => {
      const sink = await Receiver.start();
      const name = `ledger ${means}`;
      const { id } = (await console.api.post('/webhooks', { url: sink.url, name })).body.data;
      await send({ status: 'paid', by: means });
      const page = await open(means);
      await loaded(page);
      await walk('filter', page, means, async (person) => {
        const main = page.getByRole('navigation', { name: 'Main' });
        await person.press(main.getByRole('link', { name: 'Subscriptions' }));
        await person.press(page.getByRole('button', { name: 'New subscription' }));
        await person.pick('Emitter', 'orders');
        await person.pick('Listener', name);
        const event = page.locator('.preview details').filter({ hasText: means });
        await person.press(event.locator('summary'));
        await person.press(event.getByRole('button', { name: 'status: "paid"' }));
        await person.press(page.getByRole('button', { name: 'Add subscription' }));
        await page.getByRole('status').getByText('The subscription was added.').waitFor();
      });
      for (const body of [{ status: 'open' }, { status: 'paid' }]) await send(body);
      await until('the event that the filter accepts', () => sink.received.length > 0);
      expect(sink.bodies).toEqual([{ status: 'paid' }]);
      await console.api.delete(`/webhooks/${id}`);
      await sink.stop();
    });
  });
});
