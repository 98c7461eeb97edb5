import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { Scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

interface Failure {
  message: string;
  stack: string;
}

/** The error of one run of `run(event)` with this body, and the text of what it logged. */
async function failureOf(body: string): Promise<{ error: Failure; logs: string }> {
  const { id } = await scene.source(
    `import { axios } from '@pipedream/platform';\nexport default { name: 'Fails', version: '1', async run() {\n${body}\n} };`,
  );
  await scene.api.post(`/sources/${id}/run`, {});
  return until('the error', async () => {
    const read = (stream: string) => scene.events(id, { event_name: stream, expand: 'event' });
    const [failed] = await read('$errors');
    if (!failed) return undefined;
    const { error } = failed.event as { error: Failure };
    return { error, logs: JSON.stringify(await read('$logs')) };
  });
}

/** The message was "fetch failed", and neither the address nor the reason was anywhere. */
test('fetch: message, cause, method and address, and the line of code with a caret', async () => {
  const port = await freePort();
  const line = `await fetch('http://127.0.0.1:${port}/items?api_key=secret', { method: 'PUT' });`;
  const { error } = await failureOf(`  ${line}`);
  expect(error.message).toBe(
    `fetch failed: connect ECONNREFUSED 127.0.0.1:${port} (PUT http://127.0.0.1:${port}/items?…)`,
  );
  expect(error.stack.split('\n')).toEqual([
    `TypeError: ${error.message}`,
    expect.stringMatching(/^ {4}at .*component\.mjs:3\)?$/) as string,
    `    ${line}`,
    expect.stringMatching(/^ +\^$/) as string,
  ]);
});

test('axios: method and address without the query; no frames of packages in errors and logs', async () => {
  const { error, logs } = await failureOf(
    `try { await axios(this, { url: 'http://127.0.0.1:9/a', params: { key: 'secret' } }); }\ncatch (e) { console.error(e.stack); throw e; }`,
  );
  expect(error.message).toMatch(/ECONNREFUSED.* \(GET http:\/\/127\.0\.0\.1:9\/a\)$/);
  for (const text of [error.stack, logs]) {
    expect(text).toContain('component.mjs:3');
    expect(text).not.toMatch(/bundle|node:|<anonymous>/);
  }
});

test('an error of the code itself: the innermost own line, and a caret at the member', async () => {
  const { error } = await failureOf(`const deep = { a: {} };\n    [1].map(() => deep.a.b.c);`);
  expect(error.stack).toContain(`component.mjs:4\n    [1].map(() => deep.a.b.c);\n${' '.repeat(4 + 23)}^`);
});
