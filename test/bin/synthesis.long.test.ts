import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Loaded before the app: counts its starts, and the templates that it writes. */
const counter = (log: string) => `
const fs = require('node:fs');
const { writeFileSync } = fs;
const count = (what) => fs.appendFileSync(${JSON.stringify(log)}, what + '\\n');
if (process.argv[1]?.endsWith('deploy.ts')) count('app');
fs.writeFileSync = (path, ...rest) => {
  if (String(path).endsWith('.template.json')) count('template');
  return writeFileSync(path, ...rest);
};
`;

test('cdk deploy runs the app once, and synthesises the stack once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-synthesis-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const [log, preload] = [join(folder, 'log'), join(folder, 'count.cjs')];
  writeFileSync(preload, counter(log));
  const { app } = JSON.parse(readFileSync('cdk.json', 'utf8')) as { app: string };
  const cli = join('node_modules', 'aws-cdk', 'bin', 'cdk');
  const counted = app.replace(/^node /, `${process.execPath} --require ${preload} `);
  const { stderr } = spawnSync(
    process.execPath,
    [
      cli,
      '--app',
      counted,
      '--output',
      join(folder, 'out'),
      '--ci',
      'deploy',
      '--require-approval',
      'never',
      '-c',
      'stage=dev',
    ],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        AWS_EC2_METADATA_DISABLED: 'true',
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'operator',
        AWS_SECRET_ACCESS_KEY: 'of no account',
        // Nothing listens there.
        AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      },
    },
  );
  expect(existsSync(join(folder, 'out', 'manifest.json')), stderr).toBe(true);
  expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(['app', 'template']);
});
