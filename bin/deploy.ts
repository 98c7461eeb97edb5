import { App } from 'aws-cdk-lib';
import { join } from 'node:path';
import { bundleFunctions } from '../infra/bundle.ts';
import { TributaryStack } from '../infra/stack.ts';
import { Stage } from '../infra/stage.ts';

/** The CDK app behind `npx cdk deploy`. Stage data comes as context: `-c stage='{"stackName":"Mine"}'`. */
const app = new App();
const given: unknown = app.node.tryGetContext('stage') ?? {};
const stage = Stage.parse(typeof given === 'string' ? JSON.parse(given) : given);
const functions = join(process.cwd(), '.build', 'deploy');
await bundleFunctions(functions);
new TributaryStack(app, stage.stackName, {
  stage,
  assetOf: (name) => join(functions, name),
});
app.synth();
