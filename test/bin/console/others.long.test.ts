import { beforeAll, expect, test } from 'vitest';
import { describeConsole } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { operator } from '../../support/operator.ts';

interface Registered {
  id: string;
  ingest_url: string;
  credential: string;
}

const COMPONENT = `export default {
  key: 'greeter', name: 'Greeter', version: '2.1.0', description: 'Greets people.',
  props: { http: '$.interface.http', salutation: { type: 'string', label: 'Salutation', default: 'Ahoy' } },
  run() { this.$emit({}); },
};
`;

describeConsole('the pages of components, workflows and the user', (console) => {
  let workflow: Registered;
  beforeAll(async () => {
    await console.api.post('/components', { component_code: COMPONENT });
    const owner: string = (await console.api.get('/users/me')).body.data.id;
    const run = operator(console.cloud);
    workflow = await run('workflows register', { owner, name: 'Fulfilment', target: 'http://127.0.0.1:9' });
  });

  test('a component shows its props and its code, and leads to a new source with it', async () => {
    const page = await console.open('/console/components');
    await page.getByRole('table', { name: 'Components' }).getByText('Greets people.').waitFor();
    await page.getByRole('link', { name: 'Greeter', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Greeter' }).waitFor();
    await page.getByRole('table', { name: 'Props' }).getByText('"Ahoy"').waitFor();
    expect(await page.getByLabel('Code of component.mjs').textContent()).toBe(COMPONENT);
    await page.getByRole('link', { name: 'Create source', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'New source' }).waitFor();
    await page.getByRole('textbox', { name: 'Salutation' }).waitFor();
    // The component is named, in place of a box for its key.
    const component = page.getByRole('region', { name: 'Component', exact: true });
    await component.getByRole('link', { name: 'Greeter', exact: true }).waitFor();
    expect(await page.getByRole('tab').count()).toBe(0);
    await looksRight(page, 'new-source-of-component');
    await page.getByRole('button', { name: 'Create source', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'greeter' }).waitFor();
  });

  test('a workflow shows where it reports to, and its emits by themselves', async () => {
    const page = await console.open('/console/workflows');
    await page.getByRole('link', { name: 'Fulfilment', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Fulfilment' }).waitFor();
    await page.getByText('No events yet.').waitFor();
    await page.getByText(`curl -X POST '${workflow.ingest_url}/emits'`).waitFor();
    await page.getByRole('link', { name: 'About', exact: true }).click();
    await page.getByText(workflow.ingest_url, { exact: true }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Events', exact: true }).click();
    const sent = await fetch(`${workflow.ingest_url}/emits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workflow.credential}`, 'content-type': 'application/json' },
      body: '{"shipped":12345678901234567890}',
    });
    expect(sent.status).toBe(200);
    await expect
      .poll(async () => (await console.api.get(`/workflows/${workflow.id}/event_summaries`)).body.data.length)
      .toBe(1);
    const event = page.getByRole('list', { name: 'Events' }).getByRole('button', { expanded: false });
    await event.waitFor();
    await event.click();
    await page.getByLabel('Event data', { exact: true }).getByText('12345678901234567890').waitFor();
    await looksRight(page, 'workflow-event');
    await page.getByRole('combobox', { name: 'Stream' }).selectOption('$errors');
    await page.waitForURL(/\?stream=%24errors$/);
    await page.getByText('No errors.').waitFor();
  });

  test('Me shows what was used, and the key only when it is asked for', async () => {
    const page = await console.open('/console/me');
    await page.getByText('admin@localhost').waitFor();
    await page.getByText('Runs today').waitFor();
    expect(await page.getByText(console.cloud.key).count()).toBe(0);
    await page.getByRole('button', { name: 'Show key', exact: true }).click();
    await page.getByText(console.cloud.key).waitFor();
    await looksRight(page, 'me-key');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    expect(await page.evaluate(`sessionStorage.getItem('tributary.key')`)).toBeNull();
  });

  test('an unknown component and an unknown workflow are refused in a sentence', async () => {
    const { body } = await console.api.get('/components/sc_000000000000000000000000');
    const page = await console.open('/console/components/sc_000000000000000000000000');
    await page.getByRole('alert').getByText(body.error).waitFor();
    const other = await console.open('/console/workflows/p_000000000000000000000000');
    await other.getByRole('alert').getByText('There is no workflow p_000000000000000000000000.').waitFor();
  });
});
