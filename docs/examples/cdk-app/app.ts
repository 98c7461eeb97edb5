import { App, CfnOutput, Stack, Stage, type StackProps, type StageProps } from 'aws-cdk-lib';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { CodePipeline, CodePipelineSource, ManualApprovalStep, ShellStep } from 'aws-cdk-lib/pipelines';
import { type StageSettings, Tributary } from '@tributary-events/tributary/cdk';
import type { Construct } from 'constructs';

const REGION = 'us-east-1';
const TOOLS = { account: '111122223333', region: REGION };
const DEV = { account: '222233334444', region: REGION };
const PROD = { account: '333344445555', region: REGION };

interface EventsProps extends StageProps {
  settings: StageSettings;
  /** Gets a mail for each alarm. */
  operator: string;
}

/** One deployment, in one account. */
class Events extends Stage {
  readonly apiUrl: CfnOutput;

  constructor(scope: Construct, id: string, { settings, operator, ...props }: EventsProps) {
    super(scope, id, props);
    const stack = new Stack(this, 'Backend', { terminationProtection: settings.retention?.data === 'retain' });
    const tributary = new Tributary(stack, 'Events', { stage: settings });
    tributary.notices.addSubscription(new EmailSubscription(operator));
    this.apiUrl = new CfnOutput(stack, 'Api', { value: tributary.apiUrl });
  }
}

const dev: StageSettings = {
  retention: { data: 'delete', logDays: 7 },
  logLevel: 'debug',
};

const prod: StageSettings = {
  retention: { data: 'retain', logDays: 365 },
  live: 'off',
  concurrency: 'standard',
  kmsKeyArn: 'arn:aws:kms:us-east-1:333344445555:key/00000000-0000-4000-8000-000000000000',
  accessLogs: { bucket: 'example-access-logs', ingress: true },
};

class Pipeline extends Stack {
  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const connectionArn = `arn:aws:codeconnections:${REGION}:${TOOLS.account}:connection/00000000-0000-4000-8000-000000000000`;
    const pipeline = new CodePipeline(this, 'Pipeline', {
      crossAccountKeys: true,
      synth: new ShellStep('Synth', {
        input: CodePipelineSource.connection('example/events', 'main', { connectionArn }),
        commands: ['npm ci', 'npx cdk synth'],
      }),
    });
    const toDev = new Events(this, 'Dev', { env: DEV, settings: dev, operator: 'developers@example.com' });
    const responds = new ShellStep('Responds', {
      envFromCfnOutputs: { API: toDev.apiUrl },
      commands: ['curl --fail --silent --show-error "${API%/v1}/openapi.json" > /dev/null'],
    });
    pipeline.addStage(toDev, { post: [responds] });
    const toProd = new Events(this, 'Prod', { env: PROD, settings: prod, operator: 'operators@example.com' });
    pipeline.addStage(toProd, { pre: [new ManualApprovalStep('Approve')] });
  }
}

const app = new App();
new Pipeline(app, 'EventsPipeline', { env: TOOLS });
app.synth();
