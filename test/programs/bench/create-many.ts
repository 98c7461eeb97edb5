import * as z from 'zod';
import { type Service, TEST_KEY } from '../../support/service.ts';

const CLIENTS = 8;
const Created = z.object({ data: z.looseObject({ component_id: z.string().optional() }) });

const componentText = (intervalSeconds: number) => `export default {
  key: 'ticks', name: 'Ticks', version: '0.0.1',
  props: { timer: { type: '$.interface.timer', default: { intervalSeconds: ${intervalSeconds} } } },
  run() { this.$emit({ now: Date.now() }); },
};`;

interface Range {
  from: number;
  to: number;
}

/** Sources with a timer, all of one component. */
export async function createSources(
  service: Service,
  { from, to, intervalSeconds }: Range & { intervalSeconds: number },
): Promise<void> {
  if (to <= from) return;
  const { component_id } = await post(service, '/sources', {
    component_code: componentText(intervalSeconds),
    name: `Ticks ${from}`,
  });
  await each({ from: from + 1, to }, (n) => post(service, '/sources', { component_id, name: `Ticks ${n}` }));
}

/** Webhooks that nothing delivers to. */
export const createWebhooks = (service: Service, range: Range): Promise<void> =>
  each(range, (n) => post(service, `/webhooks?url=${encodeURIComponent(`http://127.0.0.1:1/${n}`)}`));

async function each({ from, to }: Range, create: (n: number) => Promise<unknown>): Promise<void> {
  let next = from;
  const client = async () => {
    for (let n = next++; n < to; n = next++) await create(n);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** A kept connection may be closed by the service while the next request is on its way. */
async function post(service: Service, path: string, body?: object) {
  const response = await fetch(`${service.base}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TEST_KEY}`,
      connection: 'close',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return Created.parse(await response.json()).data;
}
