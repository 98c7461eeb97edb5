import { App, Stack } from 'aws-cdk-lib';
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as construct from '../../../infra/tributary/tributary.ts';
import { functionEntries } from '../../../infra/bundle.ts';
import { refusedBy } from '../../support/control-tower.ts';
import { tableIn } from '../../support/doc-table.ts';
import { installPackage } from '../../support/install-package.ts';
import { explainedFindings, findingsIn, isExplained } from '../../support/nag-findings.ts';
import { trustRegistry } from '../../support/registry-certificates.ts';
import { resourcesOf, type Template } from '../../support/template.ts';

trustRegistry();

const run = promisify(execFile);
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const MODULES = join(CHECKOUT, 'node_modules');

let folder: string;
/** An app with the packed package, beside the CDK of this checkout. */
let home: string;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tributary-construct-')));
  home = await installPackage(folder);
  for (const name of ['aws-cdk-lib', 'constructs']) symlinkSync(join(MODULES, name), join(home, 'node_modules', name));
  cpSync(join(CHECKOUT, 'docs', 'examples', 'cdk-app'), join(home, 'pipeline'), { recursive: true });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const dist = () => join(home, 'node_modules', '@tributary-events', 'tributary', 'dist');
const packed = () => createRequire(join(home, 'app.cjs'))('@tributary-events/tributary/cdk') as typeof construct;

/** Compiles files of the app. Returns what the compiler says. */
async function compile(files: Readonly<Record<string, string>>, options: object): Promise<string> {
  const app = mkdtempSync(join(home, 'typed-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(app, name), text);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'ES2022',
    types: ['node'],
    typeRoots: [join(MODULES, '@types')],
    ...options,
  };
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const { stdout } = await run(join(MODULES, '.bin', 'tsc'), ['-p', app]).catch(
    (error: unknown) => error as object as { stdout: string },
  );
  return stdout.trim();
}

/** Runs an app as `npx cdk synth` does. Returns the templates by their path in the assembly. */
async function synthesised(app: string, context = {}): Promise<Map<string, Template>> {
  const outdir = mkdtempSync(join(folder, 'cdk.out-'));
  const env = { ...process.env, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: JSON.stringify(context) };
  await run(process.execPath, ['--import', import.meta.resolve('tsx'), app], { cwd: home, env });
  const templates = readdirSync(outdir, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.template.json'),
  );
  return new Map(templates.map((path) => [path, JSON.parse(readFileSync(join(outdir, path), 'utf8')) as Template]));
}

const page = readFileSync(join(CHECKOUT, 'docs', 'construct.md'), 'utf8');
const [, snippet = expect.fail('no snippet')] = /^```ts\n([^]*?)^```$/m.exec(page) ?? [];
const example = readFileSync(join(CHECKOUT, 'docs', 'examples', 'cdk-app', 'app.ts'), 'utf8');

describe('a TypeScript app', () => {
  const MODULE_KINDS = {
    'CommonJS by Node': { module: 'NodeNext' },
    'ECMAScript modules by Node': { module: 'NodeNext', isModule: true },
    'CommonJS of TypeScript': { module: 'CommonJS', moduleResolution: 'node10' },
    'a bundler': { module: 'ESNext', moduleResolution: 'bundler' },
  };

  test.each(Object.entries(MODULE_KINDS))(
    'compiles without a cast: %s',
    async (_name, { isModule = false, ...options }: { module: string; isModule?: boolean }) => {
      const extension = isModule ? 'mts' : 'ts';
      expect(await compile({ [`app.${extension}`]: snippet, [`pipeline.${extension}`]: example }, options)).toBe('');
      expect(example).not.toMatch(/ as |\bany\b|!\.|@ts-ignore/);
    },
  );

  test('learns from the compiler which setting is wrong, and reads the texts of docs/stages.md', async () => {
    const stage = "{ logLevel: 'loud', limits: { sauces: 1 }, concurrency: 7, throttle: { rate: '1' } }";
    const wrong = snippet.replace(/stage: .* \}\);/, `stage: ${stage} });`);
    const said = await compile({ 'app.ts': wrong }, { module: 'NodeNext' });
    for (const part of [
      `'"loud"'`,
      `'sauces' does not exist`,
      `Type 'number' is not assignable to type '"small"`,
      `Type 'string' is not assignable to type 'number'`,
    ])
      expect(said).toContain(part);
    const types = readFileSync(join(dist(), 'types', 'cdk', 'stage-settings.d.ts'), 'utf8');
    expect(types).toContain('least severe lines in the logs');
    expect(types).not.toContain('zod');
  });
});

test('the package has every function as Lambda runs it, the builder with its compiler', () => {
  const functions = join(dist(), 'assembly', 'functions');
  for (const name of Object.keys(functionEntries))
    expect(statSync(join(functions, name, 'index.js')).isFile(), name).toBe(true);
  const compiler = join(dist(), 'builder', 'node_modules', '@esbuild', 'linux-arm64', 'bin', 'esbuild');
  expect(statSync(compiler).mode & 0o777).toBe(0o755);
  const head = readFileSync(compiler).subarray(0, 20);
  expect(head.subarray(0, 4).toString('latin1')).toBe('\x7fELF');
  expect(head.readUInt16LE(18), 'AArch64').toBe(183);
});

test('import and require load the construct, and it uses the CDK of the app', async () => {
  for (const [name, text] of [
    ['app.mjs', "import { Tributary } from '@tributary-events/tributary/cdk'; import { Construct } from 'constructs';"],
    [
      'app.cjs',
      "const { Tributary } = require('@tributary-events/tributary/cdk'); const { Construct } = require('constructs');",
    ],
  ] as const) {
    writeFileSync(join(home, name), `${text}\nconsole.log(Tributary.prototype instanceof Construct);\n`);
    expect((await run(process.execPath, [name], { cwd: home })).stdout.trim()).toBe('true');
  }
});

test("the page's app synthesises without the sources and without a bundler, with every flag that the CDK recommends", async () => {
  mkdirSync(join(home, 'page'), { recursive: true });
  writeFileSync(join(home, 'page', 'app.ts'), `${snippet}\napp.synth();\n`);
  const { context } = JSON.parse(readFileSync(join(CHECKOUT, 'cdk.json'), 'utf8')) as { context: object };
  const recommended = { ...context, '@aws-cdk/aws-iam:minimizePolicies': true };
  const templates = await synthesised(join(home, 'page', 'app.ts'), recommended);
  expect([...templates.keys()]).toEqual(['Backend.template.json']);
  expect(Object.keys(templates.get('Backend.template.json')?.Outputs ?? {})).toContain('EventsApiUrl');
});

describe("the example's pipeline", () => {
  let templates: Map<string, Template>;
  beforeAll(async () => {
    templates = await synthesised(join(home, 'pipeline', 'app.ts'));
  });
  const templateOf = (stage: string) =>
    [...templates].find(([path]) => path.includes(`${stage}Backend`))?.[1] ?? expect.fail(`no stack of ${stage}`);

  test('deploys to dev, waits for an approval, and deploys to prod', () => {
    const pipeline = templates.get('EventsPipeline.template.json') ?? expect.fail('no pipeline');
    const [[, { Properties }] = expect.fail('no pipeline')] = resourcesOf(pipeline, 'AWS::CodePipeline::Pipeline');
    const stages = Properties['Stages'] as { Name: string; Actions: { Name: string; RunOrder: number }[] }[];
    const actions = stages.flatMap(({ Name, Actions }) =>
      Actions.toSorted((one, other) => one.RunOrder - other.RunOrder).map((action) => `${Name} ${action.Name}`),
    );
    expect(actions.filter((name) => /^(?:Dev|Prod) /.test(name))).toEqual([
      'Dev Backend.Prepare',
      'Dev Backend.Deploy',
      'Dev Responds',
      'Prod Approve',
      'Prod Backend.Prepare',
      'Prod Backend.Deploy',
    ]);
    expect(templateOf('Dev')).not.toEqual(templateOf('Prod'));
  });

  test('gives prod a template that the rules of Control Tower refuse for no other reason than our own', () => {
    const explained = tableIn('docs/deploy.md', 'Rules of an organisation').flatMap(([rule = '', stages = '']) =>
      stages.includes('`governed`') ? [rule.replaceAll('`', '')] : [],
    );
    expect([...refusedBy(templateOf('Prod')).keys()].sort()).toEqual(explained.sort());
  });
});

test('a stack with the packed construct has no finding of cdk-nag but those that docs/security.md explains', () => {
  const stack = new Stack(new App({ outdir: join(folder, 'nag.out') }), 'Backend');
  new (packed().Tributary)(stack, 'Events');
  const findings = findingsIn(stack, 'Events');
  expect(findings.filter((finding) => !explainedFindings.some((each) => isExplained(each, finding)))).toEqual([]);
  expect(explainedFindings.filter((each) => !findings.some((finding) => isExplained(each, finding)))).toEqual([]);
});
