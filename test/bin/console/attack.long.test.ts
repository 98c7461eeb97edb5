import { expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';

/** Markup that runs a script wherever it is taken for markup, attribute, address or script. */
const ATTACK = `"><img src=x onerror="window.attacked=1"><script>window.attacked=1</script><svg onload=window.attacked=1>{{constructor.constructor('window.attacked=1')()}}`;

const component = (text: string) => `/* ${text.replaceAll('*/', '')} */
export default {
  key: 'attack',
  name: ${JSON.stringify(text)},
  version: '1.0.0',
  description: ${JSON.stringify(text)},
  props: {
    http: { type: '$.interface.http', customResponse: true },
    notice: { type: 'alert', content: ${JSON.stringify(text)} },
    text: { type: 'string', label: ${JSON.stringify(text)}, description: ${JSON.stringify(text)}, default: ${JSON.stringify(text)} },
    choice: { type: 'string', label: 'Choice', optional: true, options: [{ label: ${JSON.stringify(text)}, value: 'x' }] },
  },
  async run(event) {
    this.http.respond({ status: 200, headers: { 'content-type': 'text/html' }, body: "<script>document.title = sessionStorage.getItem('tributary.key') ?? 'none'</script>" });
    console.log(${JSON.stringify(text)});
    this.$emit({ text: ${JSON.stringify(text)}, __proto__: 1, [${JSON.stringify(text)}]: 1 }, { summary: ${JSON.stringify(text)}, name: event.query.stream });
    throw Object.assign(new Error(${JSON.stringify(text)}), { code: ${JSON.stringify(text)} });
  },
};
`;

describeConsole('the console under attack', (console) => {
  test('shows what components, events, logs, errors and webhooks say as text', async () => {
    const made = await console.api.post('/sources', { component_code: component(ATTACK), name: ATTACK });
    const { id, endpoint_url: endpoint } = made.body.data;
    const { body } = await console.api.post(
      '/webhooks',
      { name: ATTACK, description: ATTACK },
      {
        query: { url: endpoint },
      },
    );
    await console.api.post('/subscriptions', undefined, {
      query: { emitter_id: id, listener_id: body.data.id },
    });
    await fetch(endpoint, { method: 'POST' });
    await expect
      .poll(async () => (await console.api.get(`/sources/${id}/event_summaries`)).body.data.length)
      .toBeGreaterThan(0);

    const page = await console.open('/console');
    for (const path of [
      '/console',
      '/console/sources',
      `/console/sources/${id}`,
      `/console/sources/${id}?stream=%24errors`,
      `/console/sources/${id}?stream=%24logs`,
      `/console/sources/${id}/code`,
      `/console/sources/${id}/props`,
      `/console/sources/${id}/listeners`,
      '/console/webhooks',
      `/console/webhooks/${body.data.id}`,
      '/console/subscriptions',
      '/console/components',
      `/console/components/${made.body.data.component_id}`,
      `/console/sources?q=${encodeURIComponent(ATTACK)}`,
      `/console/sources/${encodeURIComponent(ATTACK)}`,
    ]) {
      await page.goto(console.cloud.origin + path);
      await loaded(page);
      const entry = page.getByRole('list', { name: 'Events' }).getByRole('button').first();
      if (await entry.isVisible()) await entry.click();
      expect(await page.evaluate('window.attacked'), path).toBeUndefined();
      expect(await page.locator('main img, main script, main [onerror], main [onload]').count(), path).toBe(0);
    }
    await page.goto(`${console.cloud.origin}/console/sources/${id}`);
    await page.getByRole('heading', { level: 1 }).getByText(ATTACK, { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Events' }).getByText(ATTACK, { exact: true }).first().waitFor();
  });

  test('an answer of a component is a page of another origin, which cannot read the key', async () => {
    const { body } = await console.api.get('/users/me/sources');
    const page = await console.open('/console', { isSignedOut: true });
    await page.getByRole('textbox', { name: 'API key' }).fill(console.cloud.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(await page.evaluate(`sessionStorage.getItem('tributary.key')`)).toBe(console.cloud.key);
    await page.goto(body.data[0].endpoint_url);
    expect(new URL(page.url()).origin).not.toBe(console.cloud.origin);
    await expect.poll(() => page.title()).toBe('none');
  });
});
