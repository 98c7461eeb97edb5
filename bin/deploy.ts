import { App } from 'aws-cdk-lib';
import { DISABLE_ASSET_STAGING_CONTEXT } from 'aws-cdk-lib/cx-api';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LAMBDA_PLATFORM } from '../infra/architecture.ts';
import { addCompiler } from '../infra/compiler.ts';
import { PackageUnavailable } from '../infra/packages/fetch-package.ts';
import { readStage, StageError } from '../infra/read-stage.ts';
import { TributaryStack } from '../infra/stack.ts';
import { checkAdoption } from './adoption/check-adoption.ts';
import { checkoutAssembly } from './assembly.ts';
import { copyFiles } from './built-assembly.ts';
import { keepUsed } from './keep-used.ts';

/** The CDK app of `npx cdk deploy`. The stage is CDK context: `-c stage=prod` is the file `infra/stages/prod.json`. */
async function synthesise(): Promise<void> {
  const app = new App();
  const stage = readStage(app.node.tryGetContext('stage'));
  const isUnchecked = app.node.tryGetContext('adopt') === 'unchecked';
  const isAdoptionChecked = await checkAdoption(stage, { env: process.env, isUnchecked });
  const builds = join(process.cwd(), '.build', 'deploy');
  await mkdir(builds, { recursive: true });
  // Two stages may be synthesised at once.
  const functions = await mkdtemp(join(builds, 'functions-'));
  // An interrupted synthesis leaves its folder.
  await keepUsed(functions);
  try {
    // The same sources give the same bundles on every platform; only the compiler differs.
    await copyFiles(join(await checkoutAssembly(), 'functions'), functions);
    await addCompiler(join(functions, 'builder'), { platform: LAMBDA_PLATFORM });
    new TributaryStack(app, stage.stackName, {
      stage,
      assetOf: (name) => join(functions, name),
      isAdoptionChecked,
    });
    app.synth();
  } finally {
    // The app has copied the bundles, except with --no-staging.
    if (app.node.tryGetContext(DISABLE_ASSET_STAGING_CONTEXT) !== true)
      await rm(functions, { recursive: true, force: true });
  }
}

// Lambda reads the files of a bundle as another user.
process.umask(0o022);
try {
  await synthesise();
} catch (error) {
  // The operator can mend these; the message says how.
  if (!(error instanceof StageError || error instanceof PackageUnavailable)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
