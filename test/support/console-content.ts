import type { ConsoleBrowser } from './console-browser.ts';
import { operator } from './operator.ts';
import { PASS } from './scene.ts';
import { until } from './until.ts';

const CODE = `export default {
  key: 'greeting',
  name: 'Greeting',
  version: '1.0.0',
  props: { http: '$.interface.http', salutation: { type: 'string', label: 'Salutation', default: 'Hello' } },
  async run(event) {
    console.log('greets', event.body?.name);
    if (!event.body?.name) throw new Error('nobody to greet');
    this.$emit({ text: this.salutation + ', ' + event.body.name });
  },
};
`;

const WITH_APP = `export default { key: 'stars', name: 'Stars', version: '1', props: { github: { type: 'app', app: 'github' } }, run() {} };`;

/**
 * Makes a source with events and an error, one without an endpoint, a webhook that fails, a subscription, a workflow
 * and an account. Returns their ids, by the names that stand for them in `addressIn`.
 */
export async function makeContent({ api, cloud }: ConsoleBrowser): Promise<Readonly<Record<string, string>>> {
  const source = (await api.post('/sources', { component_code: CODE, name: 'Greeter' })).body.data;
  const quiet = (await api.post('/sources', { component_code: PASS, name: 'Quiet' })).body.data;
  await api.post('/components', { component_code: WITH_APP });
  const webhook = (await api.post('/webhooks', { url: 'http://127.0.0.1:9/hook', name: 'Billing' })).body.data;
  await api.post('/subscriptions', { emitter_id: source.id, listener_id: webhook.id });
  // The public address of the ingress may be one that only a proxy has.
  const reached = (url: string) => new URL(new URL(url).pathname, cloud.ingress);
  for (const body of ['{"name":"Ada"}', '{"name":"Grace"}', '{}'])
    await fetch(reached(source.endpoint_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
  const deliveries = async () => (await api.get(`/webhooks/${webhook.id}/deliveries`)).body.data;
  const [delivery] = await until('both deliveries are listed', async () => {
    const listed = await deliveries();
    return listed.length === 2 && listed;
  });
  const run = (await api.post(`/sources/${source.id}/run`, { body: { name: 'Linus' } })).body.data;
  const operate = operator(cloud);
  const owner = (await api.get('/users/me')).body.data.id;
  const workflow: { id: string; ingest_url: string; credential: string } = await operate('workflows register', {
    owner,
    name: 'Fulfilment',
    target: 'http://127.0.0.1:9/',
  });
  await fetch(reached(`${workflow.ingest_url}/emits`), {
    method: 'POST',
    headers: { authorization: `Bearer ${workflow.credential}`, 'content-type': 'application/json' },
    body: '{"shipped":1}',
  });
  await operate('accounts add', { owner, app: 'github', field: ['token=x'], name: 'Work' });
  return {
    WORKFLOW: workflow.id,
    SOURCE: source.id,
    QUIET: quiet.id,
    WEBHOOK: webhook.id,
    DELIVERY: delivery.id,
    COMPONENT: source.component_id,
    RUN: run.id,
  };
}

/** The address of a pattern: `/console/sources/SOURCE`. */
export const addressIn = (content: Readonly<Record<string, string>>, pattern: string): string =>
  pattern.replace(/[A-Z]{3,}/g, (name) => content[name] ?? name);
