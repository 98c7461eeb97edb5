import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApi } from '../../../shared/http/openapi/openapi.ts';
import { npmTools } from '../../support/npm-tools.ts';

const run = promisify(execFile);

const LINTERS = { '@redocly/cli': '2.77.0', '@stoplight/spectral-cli': '6.16.3' };

let folder: string;
let tools: string;
beforeAll(async () => {
  tools = await npmTools('linters', LINTERS);
  folder = mkdtempSync(join(tmpdir(), 'tributary-document-'));
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApi('http://127.0.0.1:3000')));
  writeFileSync(join(folder, 'redocly.yaml'), 'extends: [recommended]\n');
  // The rule knows no roles of OpenAPI 3.1: https://github.com/stoplightio/spectral/issues/2643
  const rules = { 'oas3-operation-security-defined': 'off' };
  writeFileSync(join(folder, '.spectral.yaml'), JSON.stringify({ extends: ['spectral:oas'], rules }));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The findings of a linter; it fails when it has any. */
async function findings(name: string, ...args: string[]): Promise<unknown> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', CI: '1' };
  const ended = run(join(tools, 'node_modules', '.bin', name), args, { cwd: folder, env });
  const { stdout } = await ended.catch((error: { stdout: string; stderr: string }) => {
    if (error.stdout.startsWith('{') || error.stdout.startsWith('[')) return error;
    throw new Error(`${name} failed: ${error.stdout}${error.stderr}`);
  });
  return JSON.parse(stdout);
}

test('redocly finds nothing, warnings included', { timeout: 240_000 }, async () => {
  const { problems } = (await findings('redocly', 'lint', 'openapi.json', '--format=json')) as {
    problems: unknown[];
  };
  // A sign-in of a person redirects, whatever happens.
  const redirects = /"operation-2xx-response".*~1v1~1session~1|~1v1~1session~1.*"operation-2xx-response"/;
  expect(problems.filter((problem) => !redirects.test(JSON.stringify(problem)))).toEqual([]);
});

test('spectral:oas finds nothing, warnings included', { timeout: 240_000 }, async () => {
  expect(await findings('spectral', 'lint', 'openapi.json', '-f', 'json', '--quiet', '--fail-severity=hint')).toEqual(
    [],
  );
});
