import { App } from 'aws-cdk-lib';
import { join } from 'node:path';
import { bundleFunctions } from '../infra/bundle.ts';
import { TributaryStack } from '../infra/stack.ts';
import { readStage, type Stage, StageError } from '../infra/stage.ts';

/** The CDK app of `npx cdk deploy`. The stage is CDK context: `-c stage='{"stackName":"Mine"}'`. */
const app = new App();
const stage = stageOf(app.node.tryGetContext('stage'));
const functions = join(process.cwd(), '.build', 'deploy');
await bundleFunctions(functions);
new TributaryStack(app, stage.stackName, {
  stage,
  assetOf: (name) => join(functions, name),
});
app.synth();

/** Ends the program with one sentence when a setting is wrong. */
function stageOf(context: unknown): Stage {
  try {
    return readStage(context);
  } catch (error) {
    if (!(error instanceof StageError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
