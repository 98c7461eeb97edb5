import { App } from 'aws-cdk-lib';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { machinePlatform } from './architecture.ts';
import { bundleFunctions } from './bundle.ts';
import { TributaryStack } from './stack.ts';
import type { Stage } from './stage.ts';

/** The synthesised stack: the template, and the folder of each code asset. */
export interface Assembly {
  template: Record<string, unknown>;
  /** Object key of a code asset, as in `Code.S3Key` → its folder. */
  assets: ReadonlyMap<string, string>;
}

const AssetManifest = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.object({ path: z.string(), packaging: z.string() }),
      destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
    }),
  ),
});

/**
 * Bundles the functions for this machine into `<directory>/functions` and synthesises the stack into
 * `<directory>/cdk.out`.
 */
export async function synthesise(stage: Stage, directory: string): Promise<Assembly> {
  const functions = join(directory, 'functions');
  await bundleFunctions(functions, machinePlatform());
  return synthesiseBundled(stage, directory, functions);
}

/** The same with existing bundles. */
export function synthesiseBundled(stage: Stage, directory: string, functions: string): Assembly {
  const outdir = join(directory, 'cdk.out');
  const app = new App({
    outdir,
    analyticsReporting: false,
    // Nothing reads the tree of constructs, or where each was made.
    treeMetadata: false,
    stackTraces: false,
    // The start of a service reads the template itself. `cdk deploy` and `cdk synth` validate it (bin/deploy.ts), which
    // takes seconds.
    builtinCloudFormationValidation: false,
    context: {
      // No copies of the bundles, which makes the start faster.
      'aws:cdk:disable-asset-staging': true,
    },
  });
  const stack = new TributaryStack(app, stage.stackName, {
    stage,
    assetOf: (name) => join(functions, name),
  });
  app.synth();
  const read = (name: string): unknown => JSON.parse(readFileSync(join(outdir, name), 'utf8'));
  const template = z.record(z.string(), z.unknown()).parse(read(stack.templateFile));
  const { files } = AssetManifest.parse(read(`${stack.artifactId}.assets.json`));
  const assets = new Map<string, string>();
  for (const { source, destinations } of Object.values(files)) {
    if (source.packaging !== 'zip') continue;
    for (const { objectKey } of Object.values(destinations)) assets.set(objectKey, source.path);
  }
  return { template, assets };
}
