import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webSite } from '../support/builder/web-site.ts';
import { npmRegistry } from '../support/builder/registry.ts';
import { assemblyWith } from '../support/assembly-with.ts';
import { operator } from '../support/operator.ts';
import { ECHO, Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

/** One machine has many loopback addresses: the stage may allow this one and no other. */
const ALLOWED = '127.0.0.1';
const REFUSED = '127.0.0.2';

let site: Awaited<ReturnType<typeof webSite>>;
let registry: Awaited<ReturnType<typeof npmRegistry>>;
let closed: Scene;
let listed: Scene;

beforeAll(async () => {
  site = await webSite({
    '/component.mjs': `export default { name: 'Reached', version: '1', run() {} };`,
    '/away.mjs': (_, response) => response.writeHead(302, { location: `http://${REFUSED}:1/component.mjs` }).end(),
  });
  registry = await npmRegistry({ fine: [{ version: '1.0.0', files: { 'index.js': 'module.exports = 1' } }] });
  const allowPrivate = false;
  [closed, listed] = await Promise.all([
    Scene.open({
      hasOwnBuilder: true,
      assembly: assemblyWith({ network: { allowPrivate }, npmRegistry: registry.url }),
    }),
    Scene.open({
      hasOwnBuilder: true,
      assembly: assemblyWith({
        network: { allowPrivate, allowList: [`${ALLOWED}/32`] },
        npmRegistry: registry.url,
      }),
    }),
  ]);
});
afterAll(async () => {
  await Promise.all([closed.close(), listed.close()]);
  site.close();
  registry.close();
});

const WITH_PACKAGE = `import fine from 'fine'; export default { name: 'P', version: '1', fine, run() {} };`;
const create = ({ api }: Scene, body: object) => api.post('/components', body);

describe('with private addresses refused', () => {
  test('a component_url there is 400 with the reason, and is not requested', async () => {
    const url = `${site.base}/component.mjs`;
    const { status, body } = await create(closed, { component_url: url });
    expect([status, body.code]).toEqual([400, 'build_failed']);
    expect(body.error).toBe(
      `${url} could not be fetched: ${ALLOWED} is a loopback address, and this service does not connect to those`,
    );
    expect(site.requests).toEqual([]);
  });

  test('a package from a registry there is 400 that says so', async () => {
    const { status, body } = await create(closed, { component_code: WITH_PACKAGE });
    expect(status).toBe(400);
    expect(body.error).toBe(
      `the packages "fine" (component.mjs:1:18) cannot be installed: ${ALLOWED} is a loopback address, and this service does not connect to those`,
    );
    expect(registry.requests).toEqual([]);
  });

  test('a delivery to a webhook there is refused before it connects, recorded as an attempt, and tried again', async () => {
    const source = await closed.source(ECHO);
    const { id, receiver } = await closed.webhook();
    await closed.subscribe(source.id, id);
    await closed.send(source.endpoint, { n: 1 });
    const deliveries = `/webhooks/${id}/deliveries`;
    // A busy machine may list it as pending before its attempt ends.
    const delivery = await until('the attempt is listed', async () => {
      const [listed] = (await closed.api.get(deliveries)).body.data;
      return listed?.attempts > 0 && listed;
    });
    expect(delivery.status).toBe('retrying');
    const { body } = await closed.api.get(`${deliveries}/${delivery.id}`);
    // The second attempt comes after 4 s.
    expect(body.data.attempt_log[0]).toMatchObject({
      attempt: 1,
      outcome: 'blocked',
      answer: null,
      reason: expect.stringContaining(`${ALLOWED} is a loopback address`) as string,
    });
    expect(receiver.received).toEqual([]);
  });

  test('a workflow has an https target', async () => {
    const { id: owner } = (await closed.api.get('/users/me')).body.data;
    const register = (target: string) => operator(closed.cloud)('workflows register', { owner, name: 'W', target });
    await expect(register('http://example.com/')).rejects.toThrow(
      'The target must begin with https://, because this stage does not allow private addresses.',
    );
    expect(await register('https://example.com/')).toMatchObject({ id: expect.stringMatching(/^p_/) });
  });
});

describe('an address that the stage lists', () => {
  test('serves components and packages', async () => {
    const { status, text } = await create(listed, { component_url: `${site.base}/component.mjs` });
    expect(status, text).toBe(200);
    const packaged = await create(listed, { component_code: WITH_PACKAGE });
    expect(packaged.status, packaged.text).toBe(200);
  });

  test('leads to no other by redirecting', async () => {
    const { status, body } = await create(listed, { component_url: `${site.base}/away.mjs` });
    expect([status, body.code]).toEqual([400, 'build_failed']);
    expect(body.error).toContain(`${REFUSED} is a loopback address`);
  });
});
