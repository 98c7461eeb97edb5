import { build, type BuildOptions } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { Concurrency } from '../../infra/concurrency.ts';
import { StageSettings } from '../../infra/stage.ts';
import { writeTypes } from './build-author-module.ts';
import { writeOpenApiTypes } from './build-client.ts';

/** Builds the construct into `cdk.cjs`, which both kinds of modules can load, and its types. */
export async function buildConstruct(root: string, dist: string): Promise<void> {
  const types = join(dist, 'types', 'cdk');
  await mkdir(types, { recursive: true });
  await Promise.all([
    build(constructBuild(root, dist)),
    writeTypes(join(root, 'infra', 'tributary', 'tributary.ts'), join(types, 'tributary.d.ts')),
    writeSettingsTypes(root, join(types, 'stage-settings.d.ts')),
    writeFile(join(types, 'package.json'), '{"type":"commonjs"}\n'),
  ]);
}

export const constructBuild = (root: string, dist: string): BuildOptions => ({
  absWorkingDir: root,
  entryPoints: { cdk: 'infra/tributary/tributary.ts' },
  outdir: dist,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  external: ['aws-cdk-lib', 'constructs'],
  define: { 'import.meta.url': '__moduleUrl' },
  banner: { js: "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;" },
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
});

const Member = z.looseObject({ description: z.string().optional() });
const Setting = Member.extend({ properties: z.record(z.string(), Member).optional() });
const Settings = z.object({ properties: z.record(z.string(), Setting) });

const jsonSchemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/** Types of the settings of a stage, with the texts of docs/stages.md. */
async function writeSettingsTypes(root: string, to: string): Promise<void> {
  const { stackName, terminationProtection, ...properties } = Settings.parse(jsonSchemaOf(StageSettings)).properties;
  if (!stackName || !terminationProtection) throw new Error('A stage has no settings of its stack any more.');
  properties['concurrency'] = { anyOf: [{ enum: ['small', 'standard'] }, jsonSchemaOf(Concurrency.out)] };
  const page = await readFile(join(root, 'docs', 'stages.md'), 'utf8');
  for (const [, name = '', preset = '', meaning = ''] of page.matchAll(/^\| `([\w.]+)` +\| (.+?) +\| (.+?) +\|$/gm)) {
    const [group = '', member] = name.split('.');
    const setting = member === undefined ? properties[group] : properties[group]?.properties?.[member];
    if (setting) setting.description = `${meaning.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')}. Default: ${preset}.`;
  }
  const schemas = { StageSettings: { type: 'object', properties } };
  const document = { openapi: '3.1.0', info: { title: 'Stage', version: '1' }, paths: {}, components: { schemas } };
  await writeOpenApiTypes(root, { document, to, options: ['--default-non-nullable=false', '--immutable'] });
  const text = await readFile(to, 'utf8');
  await writeFile(to, `${text}export type StageSettings = components['schemas']['StageSettings'];\n`);
}
