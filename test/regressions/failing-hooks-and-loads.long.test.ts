import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const LOGS = 'for (let n = 1; n <= 25; n += 1) console.log("line " + n);';
const lastTwenty = Array.from({ length: 20 }, (_, n) => ({ path: 'console.log', message: `line ${n + 6}` }));

const withHook = (hook: string, body: string) => `const fail = (text) => {
  throw new TypeError(text);
};
export default {
  name: 'Failing', version: '0.0.1',
  hooks: {
    async ${hook}() {
      ${body}
    },
  },
  run() {},
};`;

/** The message had what the hook threw, and neither its name nor a line; what it logged was gone with the source. */
describe('a hook that fails', () => {
  test.each(['deploy', 'activate'])('%s: hook, error, file and line, and its last 20 lines', async (hook) => {
    const component_code = withHook(hook, `${LOGS}\n      fail('no access');`);
    const { status, body } = await scene.api.post('/sources', { component_code });
    expect([status, body.code]).toEqual([400, 'hook_failed']);
    expect(body.error).toBe(`The hook ${hook} of the component failed: TypeError: no access (component.mjs:2)`);
    expect(body.details).toEqual(lastTwenty);
  });

  test('of an update: the same', async () => {
    const { id } = await scene.source(withHook('deactivate', ''));
    const component_code = withHook('activate', 'console.error("a", 1);\n console.log(""); null.x;');
    const { status, body } = await scene.api.put(`/sources/${id}`, { component_code });
    expect([status, body.code]).toEqual([400, 'hook_failed']);
    expect(body.error).toMatch(
      /^The hook activate of the component failed: TypeError: Cannot read .*null.* \(component\.mjs:9\)$/,
    );
    expect(body.details).toEqual([
      { path: 'console.error', message: 'a 1' },
      { path: 'console.log', message: '' },
    ]);
  });

  test.each([
    ['what is no error', 'throw "plain text";', 'plain text'],
    ['an error without a stack', 'throw { name: "Odd", message: "no stack" };', 'Odd: no stack'],
    [
      'an error of Node after a pause',
      "await new Promise((r) => setTimeout(r, 1)); JSON.parse('{');",
      /^SyntaxError: .*JSON.* \(component\.mjs:8\)$/,
    ],
    ['the end of its process', 'process.exit(3);', 'The component ended its process (exit code 3).'],
  ])('with %s has a message and no details', async (_, body, expected) => {
    const component_code = withHook('activate', body);
    const { body: response } = await scene.api.post('/sources', { component_code });
    const [, text = ''] = /^The hook activate of the component failed: (.*)$/.exec(response.error) ?? [];
    expect(text).toMatch(expected);
    expect(response).not.toHaveProperty('details');
  });

  test('far down in a library names the line of the component that called it', async () => {
    const component_code = withHook(
      'deploy',
      `const { axios } = await import('@pipedream/platform');\n\n await axios(this, { url: 'http://127.0.0.1:9/' });`,
    );
    const { body } = await scene.api.post('/sources', { component_code });
    expect(body.error).toMatch(/ECONNREFUSED.*\(component\.mjs:10\)$/);
  });

  test('in a file of its own names that file', async () => {
    const files: Record<string, string> = {
      '/a/sources/one.mjs': `import { check } from '../common/check.mjs';\nexport default { name: 'Files', version: '1', hooks: { deploy() { check(); } }, run() {} };`,
      '/a/common/check.mjs': `export const check = () => {\n  throw new Error('checked');\n};`,
    };
    const { createServer } = await import('node:http');
    const server = createServer((request, response) => {
      const text = files[request.url ?? ''];
      response.writeHead(text === undefined ? 404 : 200).end(text ?? '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const component_url = `http://127.0.0.1:${port}/a/sources/one.mjs`;
    const { body } = await scene.api.post('/sources', { component_url });
    server.close();
    expect(body.error).toMatch(/failed: Error: checked \([^ ]*common\/check\.mjs:2\)$/);
  });
});

describe('a component that fails to load', () => {
  test.each(['/components', '/sources'])('POST %s: error, file and line, and its last 20 lines', async (path) => {
    const component_code = `${LOGS}\n\nundefinedThing();\nexport default { name: 'X', run() {} };`;
    const { status, body } = await scene.api.post(path, { component_code });
    expect([status, body.code]).toEqual([400, 'load_failed']);
    expect(body.error).toBe(
      'The component does not load: ReferenceError: undefinedThing is not defined (component.mjs:3)',
    );
    expect(body.details).toEqual(lastTwenty);
  });

  test('with top-level await: the same', async () => {
    const component_code = `console.warn('before');\nawait Promise.resolve();\nthrow new RangeError('after');\nexport default { name: 'X', run() {} };`;
    const { body } = await scene.api.post('/components', { component_code });
    expect(body.error).toBe('The component does not load: RangeError: after (component.mjs:3)');
    expect(body.details).toEqual([{ path: 'console.warn', message: 'before' }]);
  });

  test('in time: its last lines', { timeout: 60_000 }, async () => {
    const component_code = `console.log('waits');\nawait new Promise((r) => setTimeout(r, 60_000));\nexport default { name: 'X', run() {} };`;
    const { body } = await scene.api.post('/components', { component_code });
    expect([body.code, body.details]).toEqual(['load_timeout', [{ path: 'console.log', message: 'waits' }]]);
  });
});
