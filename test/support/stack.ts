import { App, type Stack } from 'aws-cdk-lib';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as z from 'zod';
import { functionEntries } from '../../infra/bundle.ts';
import { TributaryStack } from '../../infra/stack.ts';
import { Stage } from '../../infra/stage.ts';
import type { Template } from './template.ts';

/** A folder with a bundle of one line for each function. */
export function bundlesWithoutCode(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-stack-'));
  for (const name of Object.keys(functionEntries)) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'index.js'), `exports.handler = async () => '${name}';\n`);
  }
  return directory;
}

/** An app for tests, which nothing validates: `npm run synth` does. */
export const appIn = (outdir: string): App =>
  new App({
    outdir,
    analyticsReporting: false,
    // Nothing reads these.
    stackTraces: false,
    treeMetadata: false,
    builtinCloudFormationValidation: false,
  });

/** The stack with one-line functions: for what does not depend on their code. */
export function stackWithoutCode(
  stage: z.input<typeof Stage> = {},
  props: { isAdoptionChecked?: boolean } = {},
): { stack: Stack; template: Template } {
  const directory = bundlesWithoutCode();
  const app = appIn(join(directory, 'cdk.out'));
  const stack = new TributaryStack(app, 'Tributary', {
    stage: Stage.parse(stage),
    assetOf: (name) => join(directory, name),
    ...props,
  });
  app.synth();
  const text = readFileSync(join(directory, 'cdk.out', stack.templateFile), 'utf8');
  rmSync(directory, { recursive: true });
  return { stack, template: JSON.parse(text) as Template };
}

const templates = new Map<string, Template>();

/** The template of that stack, synthesised once for each stage. */
export function templateWithoutCode(stage: z.input<typeof Stage> = {}): Template {
  const key = JSON.stringify(Stage.parse(stage));
  const template = templates.get(key) ?? stackWithoutCode(stage).template;
  templates.set(key, template);
  return template;
}
