import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { npmRegistry } from '../support/builder/registry.ts';
import { assemblyWith } from '../support/assembly-with.ts';
import { freePort } from '../support/free-port.ts';
import { Scene } from '../support/scene.ts';

/** Behaviour of the registry. */
type Answering = RequestListener | 'not at all';

/** An installed package is not requested again within minutes, so each case has a package of its own. */
const cases: { how: string; name: string; answering: Answering; cause: RegExp }[] = [
  { how: 'refuses connections', name: 'a', answering: 'not at all', cause: /ECONNREFUSED/ },
  {
    how: 'closes connections',
    name: '@scope/b',
    answering: (request) => request.socket.destroy(),
    cause: /socket hang up|ECONNRESET/,
  },
  { how: 'fails', name: 'c', answering: (_, response) => response.writeHead(500).end('{}'), cause: /500/ },
  {
    how: 'is overloaded',
    name: '@scope/d',
    answering: (_, response) => response.writeHead(429).end('{}'),
    cause: /429/,
  },
  {
    how: 'answers with a page',
    name: 'e',
    answering: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>log in</html>'),
    cause: /JSON/,
  },
];

let scene: Scene;
let registry: Awaited<ReturnType<typeof npmRegistry>>;
let respond: RequestListener;
let port = 0;
const server = createServer((request, response) => {
  respond(request, response);
});
const listen = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
const stop = () =>
  new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });

/** As another server has it, whose addresses lead here. */
const serve: RequestListener = (request, response) => {
  void fetch(new URL(request.url ?? '/', registry.url)).then(async (found) =>
    response.writeHead(found.status).end(Buffer.from(await found.arrayBuffer())),
  );
};

beforeAll(async () => {
  // The server stops and listens again: no other socket gets its port meanwhile.
  port = await freePort();
  await listen();
  const files = { 'index.js': `module.exports = 'here'` };
  const tarball = (name: string) => `http://127.0.0.1:${port}/${name}/-/1.0.0.tgz`;
  registry = await npmRegistry({
    ...Object.fromEntries(cases.map(({ name }) => [name, [{ version: '1.0.0', files, tarball: tarball(name) }]])),
    parent: [{ version: '1.0.0', files, manifest: { dependencies: { child: '1' } }, tarball: tarball('parent') }],
    archived: [{ version: '1.0.0', files, tarball: tarball('archived') }],
    child: [{ version: '1.0.0', files, tarball: tarball('child') }],
  }); // oxfmt-ignore
  const address = `http://reader:secret@127.0.0.1:${port}/`;
  scene = await Scene.open({ hasOwnBuilder: true, assembly: assemblyWith({ npmRegistry: address }) });
});
afterAll(async () => {
  await scene.close();
  await stop();
  registry.close();
});

const code = (name: string) =>
  `export default { name: 'Needs', version: '0.0.1', run() {} };\nimport value from '${name}';\nconsole.log(value);`;

const components = async (): Promise<unknown[]> => {
  const names: unknown[] = [];
  for await (const [key] of scene.cloud.cloud.open.services.disk.entries('d/'))
    if (key.includes('COMPONENT#')) names.push(key);
  return names;
};

/** The request got a 500, with the cause in the log only. */
test.each(cases)(
  'a registry that $how is 503 registry_unavailable, with address, cause and import; nothing is left, and later it works',
  async ({ name, answering, cause }) => {
    const before = await components();
    if (answering === 'not at all') await stop();
    else respond = answering;
    const component_code = code(name);
    for (const path of ['/components', '/sources']) {
      const { status, body: problem, headers } = await scene.api.post(path, { component_code });
      expect([status, problem.code]).toEqual([503, 'registry_unavailable']);
      expect(problem.error).toContain(`"${name}", imported by component.mjs:2:19,`);
      expect(problem.error).toContain(`the npm registry http://127.0.0.1:${port}/ `);
      expect(problem.error).toMatch(cause);
      expect(problem.error).not.toContain('secret');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await components()).toEqual(before);

    if (answering === 'not at all') await listen();
    respond = serve;
    const { status, text } = await scene.api.post('/components', { component_code });
    expect([status, text]).toEqual([200, expect.any(String)]);
  },
);

test('a package that another one needs is named with the import that leads to it', async () => {
  respond = (request, response) => {
    if (request.url?.startsWith('/child')) response.writeHead(502).end('{}');
    else serve(request, response);
  };
  const { status, body } = await scene.api.post('/components', { component_code: code('parent') });
  expect([status, body.code]).toEqual([503, 'registry_unavailable']);
  expect(body.error).toContain('"child", needed by a package that component.mjs:2:19 imports,');
  expect(body.error).toMatch(/502/);
});

test('an archive that the registry does not serve is no fault of the component either', async () => {
  respond = (request, response) => {
    if (request.url?.endsWith('.tgz')) request.socket.destroy();
    else serve(request, response);
  };
  const { status, body } = await scene.api.post('/components', { component_code: code('archived') });
  expect([status, body.code]).toEqual([503, 'registry_unavailable']);
});

test('a package that does not exist is still the fault of the component', async () => {
  respond = serve;
  const { status, body } = await scene.api.post('/components', { component_code: code('never-published') });
  expect([status, body.code]).toEqual([400, 'build_failed']);
  expect(body.error).toContain('"never-published" was not found on the npm registry');
});
