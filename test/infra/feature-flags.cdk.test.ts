import { Stage as CdkStage } from 'aws-cdk-lib';
import { FLAGS } from 'aws-cdk-lib/cx-api';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { functionEntries } from '../../infra/bundle.ts';
import { Stage } from '../../infra/stage.ts';
import { synthesiseBundled } from '../../infra/synthesise.ts';

const Context = z.record(z.string(), z.unknown());
const { context } = z.object({ context: Context }).parse(JSON.parse(readFileSync('cdk.json', 'utf8')));

/** Recommended values that this stack does not take. */
const DIFFERENT: Readonly<Record<string, unknown>> = {
  // One statement for each action: a test removes each one, and checks that something needs it.
  '@aws-cdk/aws-iam:minimizePolicies': false,
};

test('cdk.json has every flag that the installed CDK recommends, and no other', () => {
  const recommended = Object.entries(FLAGS)
    .filter(([, { recommendedValue, unconfiguredBehavesLike }]) => unconfiguredBehavesLike?.v2 !== recommendedValue)
    .map(([name, { recommendedValue }]) => [name, DIFFERENT[name] ?? recommendedValue]);
  expect(recommended.length).toBeGreaterThan(50);
  expect(context).toEqual(Object.fromEntries(recommended));
});

test.each([
  {},
  {
    alarmEmail: 'operators@example.com',
    budget: { monthlyUsd: 100, email: 'operators@example.com' },
    domain: {
      api: 'api.example.com',
      ingress: 'in.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000000',
    },
  },
])('the flags change nothing of the template that one machine interprets: %j', (stage) => {
  expect(synthesised(stage, { CDK_CONTEXT_JSON: JSON.stringify(context) }).template).toEqual(
    synthesised(stage, {}).template,
  );
});

test('the synthesis of `npm start` sets no flag but with the value of cdk.json', () => {
  const { flags } = synthesised({}, {});
  expect(flags).toEqual(flags.filter(([name, value]) => context[name] === value));
});

test('flags stand in cdk.json, and in no source of the app of `npx cdk`', () => {
  const sources = ['bin', 'infra'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const setting = sources.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return Object.keys(FLAGS).some((name) => text.includes(name)) || /setContext\(|CDK_CONTEXT_JSON/.test(text);
  });
  expect(setting).toEqual([]);
});

/** The synthesis of `npm start`, with code of one line. `npx cdk` hands its context to the app as a variable. */
function synthesised(stage: z.input<typeof Stage>, env: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-flags-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const name of Object.keys(functionEntries)) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'index.js'), `exports.handler = async () => '${name}';\n`);
  }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const synth = vi.spyOn(CdkStage.prototype, 'synth');
  try {
    const { template } = synthesiseBundled(Stage.parse(stage), directory, directory);
    const all = synth.mock.contexts.flatMap((app) =>
      app instanceof CdkStage ? Object.entries(Context.parse(app.node.getAllContext())) : [],
    );
    return { template, flags: all.filter(([name]) => name in FLAGS) };
  } finally {
    synth.mockRestore();
    vi.unstubAllEnvs();
  }
}
