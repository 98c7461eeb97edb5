import { App, type Stack } from 'aws-cdk-lib';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as z from 'zod';
import { functionEntries } from '../../infra/bundle.ts';
import { TributaryStack } from '../../infra/stack.ts';
import { Stage } from '../../infra/stage.ts';

export interface Resource {
  Type: string;
  Properties: Record<string, unknown>;
  [attribute: string]: unknown;
}

export interface Template {
  Resources: Record<string, Resource>;
  Outputs: Record<string, unknown>;
}

/** The stack with one-line functions: for what does not depend on their code. */
export function stackWithoutCode(
  stage: z.input<typeof Stage> = {},
  props: { isAdoptionChecked?: boolean } = {},
): { stack: Stack; template: Template } {
  const directory = mkdtempSync(join(tmpdir(), 'tributary-stack-'));
  for (const name of Object.keys(functionEntries)) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'index.js'), `exports.handler = async () => '${name}';\n`);
  }
  const app = new App({
    outdir: join(directory, 'cdk.out'),
    analyticsReporting: false,
    // `npm run synth` validates the template, which takes seconds.
    builtinCloudFormationValidation: false,
  });
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

export const resourcesOf = (template: Template, type: string): [string, Resource][] =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
