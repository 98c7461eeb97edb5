import { App } from 'aws-cdk-lib';
import { join } from 'node:path';
import { bundleFunctions } from '../infra/bundle.ts';
import { TributaryStack } from '../infra/stack.ts';
import { Stage } from '../infra/stage.ts';

/** The CDK app of `npx cdk deploy`. The stage is CDK context: `-c stage='{"stackName":"Mine"}'`. */
const app = new App();
const context: unknown = app.node.tryGetContext('stage') ?? {};
const stage = Stage.parse(typeof context === 'string' ? JSON.parse(context) : context);
const functions = join(process.cwd(), '.build', 'deploy');
await bundleFunctions(functions);
new TributaryStack(app, stage.stackName, {
  stage,
  assetOf: (name) => join(functions, name),
});
app.synth();
