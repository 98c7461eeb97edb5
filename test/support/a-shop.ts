import type { ApiClient } from './api-client.ts';
import { Receiver } from './receiver.ts';
import { until } from './until.ts';

/** Emits an order for each request. */
export const SHOP = `export default {
  name: 'Shop', version: '1.0.0', props: { http: '$.interface.http' },
  run({ body }) { console.log('sells to', body.name); this.$emit(body, { summary: 'Order of ' + body.name }); },
};
`;

/** A source that emits an order for each request, and a webhook that has got those of three buyers. */
export async function openShop(api: ApiClient, buyers: readonly [string, string, string]) {
  const receiver = await Receiver.start();
  const { body } = await api.post('/sources', { component_code: SHOP, name: 'Shop' });
  const { id, endpoint_url: endpoint } = body.data;
  const query = { url: receiver.url, name: 'Billing' };
  const webhook = (await api.post('/webhooks', undefined, { query })).body.data.id;
  await api.post('/subscriptions', undefined, { query: { emitter_id: id, listener_id: webhook } });
  const sell = async (name: string): Promise<void> => {
    await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
  };
  for (const name of buyers) await sell(name);
  await until('the deliveries are listed', async () => {
    const list = await api.get(`/webhooks/${webhook}/deliveries`);
    return list.body.data.length === buyers.length;
  });
  return { id: String(id), webhook: String(webhook), sell, stop: () => receiver.stop() };
}
