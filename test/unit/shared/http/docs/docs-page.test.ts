import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { openApi } from '../../../../../shared/http/openapi/openapi.ts';
import { CONTENT_SECURITY_POLICY, docsPage } from '../../../../../shared/http/docs/docs-page.ts';
import { curlOfOperation } from '../../../../../shared/http/docs/curl-of-operation.ts';
import { ApiDocument } from '../../../../../shared/http/docs/document-parts.ts';
import { STYLE } from '../../../../../shared/http/docs/docs-style.ts';

const ORIGIN = 'http://127.0.0.1:3000';
const document = openApi(ORIGIN);
const operations = Object.entries(ApiDocument.parse(document).paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ origin: ORIGIN, method, path, operation })),
);

/** The arguments that a shell gives to curl. */
function argumentsOf(line: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }; TRIBUTARY_API_KEY=the-key\n${line}`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\0').slice(0, -1);
}

test('every operation has a curl line that a shell reads, with the key and the example of its body', () => {
  const script = operations.map((each) => `${curlOfOperation(each)}\nprintf '\\0\\0'`).join('\n');
  const lines = spawnSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; TRIBUTARY_API_KEY=the-key\n${script}`], {
    encoding: 'utf8',
  })
    .stdout.split('\0\0\0')
    .slice(0, -1)
    .map((line) => line.split('\0'));
  expect(lines).toHaveLength(operations.length);
  for (const [n, { method, operation }] of operations.entries()) {
    const words = lines[n] ?? [];
    expect(words.find((word) => word.startsWith('http'))).not.toMatch(/[{}]/);
    expect(words.includes('-X')).toBe(method !== 'get');
    expect(words.includes('Authorization: Bearer the-key')).toBe(operation.security?.length !== 0);
    const example = operation.requestBody?.content['application/json']?.example;
    const at = words.indexOf('-d');
    expect(at < 0 ? undefined : JSON.parse(words[at + 1] ?? '')).toEqual(example);
  }
});

test("a curl line keeps an apostrophe of its example, and names the query's required parameters", () => {
  const [known] = operations;
  if (!known) return expect.fail('no operation');
  const operation = {
    ...known.operation,
    parameters: [
      { name: 'source_id', in: 'path', required: true, description: '', schema: {} },
      { name: 'url', in: 'query', required: true, description: '', schema: {} },
      { name: 'limit', in: 'query', required: false, description: '', schema: {} },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: {}, example: { a: "it's $x" } } },
    },
  };
  const line = curlOfOperation({ origin: ORIGIN, method: 'put', path: '/v1/sources/{source_id}', operation });
  expect(argumentsOf(line)).toEqual([
    '-X',
    'PUT',
    `${ORIGIN}/v1/sources/SOURCE_ID?url=URL`,
    '-H',
    'Authorization: Bearer the-key',
    '-H',
    'Content-Type: application/json',
    '-d',
    `{"a":"it's $x"}`,
  ]);
});

test('the policy of the page allows its own script and style only', () => {
  const page = docsPage(document);
  const hashOf = (element: string) => {
    const [, text = ''] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(page) ?? [];
    return createHash('sha256').update(text).digest('base64');
  };
  expect(CONTENT_SECURITY_POLICY).toContain(
    `default-src 'none'; style-src 'sha256-${hashOf('style')}'; script-src 'sha256-${hashOf('script')}';`,
  );
  expect(page.match(/<script/g)).toHaveLength(1);
});

test('paths are shown whole, and every section has a link in the list', () => {
  const page = docsPage(document);
  const ids = [...page.matchAll(/<section id="([^"]+)"/g)].map(([, id = '']) => id);
  expect(ids.length).toBeGreaterThan(operations.length);
  for (const id of ids) expect(page).toContain(`href="#${id}"`);
  expect(STYLE).not.toMatch(/text-overflow|white-space: nowrap/);
});

test('colours and fonts are those of the console', () => {
  const tokens = readFileSync('functions/console/app/design/tokens.css', 'utf8');
  const both = (theme: number) =>
    tokens.replace(/light-dark\((#\w+), (#\w+)\)/g, (_, ...colours: string[]) => colours[theme] ?? '');
  const [ownLight = '', ownDark = ''] = STYLE.split('@media');
  for (const [theme, own] of [ownLight, ownDark].entries()) {
    const declared = own.match(/--[\w-]+: [^;]+;/g) ?? [];
    expect(declared.length).toBeGreaterThan(9);
    for (const declaration of declared) expect(both(theme)).toContain(declaration);
  }
});
