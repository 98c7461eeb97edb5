import * as z from 'zod';
import { readStage } from '../../infra/read-stage.ts';
import { lambdaClient } from '../../shared/aws/clients.ts';
import type { Settings } from '../settings.ts';
import { type Answer, type Options, optionsFrom, UsageError } from './command.ts';
import { diagnoseAccount } from './doctor-account.ts';
import { diagnoseMachine, type MachineSubject } from './doctor-machine.ts';
import { examineStack } from './doctor-stack.ts';
import { namesFrom, outputsOfStack } from './names.ts';
import { operatorOf } from './operator.ts';
import { cloudFormationClient } from './operator-clients.ts';

const DoctorOptions = z.strictObject({
  account: z.literal('', 'takes no value').optional(),
  stage: z.string().min(1, 'is empty').optional(),
});

interface DoctorLine {
  options: Options;
  stack: string | undefined;
  settings: () => Settings;
  /** The dead letters of this machine's service. */
  deadLetters: MachineSubject['deadLetters'];
}

/** Diagnoses this machine, the AWS account before a deployment (`--account`), or a deployed stack (`--stack`). */
export const doctor = {
  usage: 'doctor [--account [--stage NAME] | --stack NAME]',

  check({ options, stack }: Pick<DoctorLine, 'options' | 'stack'>): z.output<typeof DoctorOptions> {
    const chosen = optionsFrom(DoctorOptions, options);
    if (stack !== undefined && chosen.account !== undefined)
      throw new UsageError('Give one of --account and --stack');
    if (chosen.stage !== undefined && chosen.account === undefined)
      throw new UsageError('--stage needs --account');
    return chosen;
  },

  async run(line: DoctorLine): Promise<Answer> {
    const { account, stage } = doctor.check(line);
    if (line.stack !== undefined) return diagnoseStack(line.stack);
    if (account === undefined) return diagnoseMachine({ ...line.settings(), deadLetters: line.deadLetters });
    const planned = stage === undefined ? undefined : { name: stage, ...readStage(stage) };
    return diagnoseAccount({ lambda: lambdaClient(), cloudFormation: cloudFormationClient() }, planned);
  },
};

const Addresses = z.object({ ApiUrl: z.url() });

async function diagnoseStack(stackName: string): Promise<Answer> {
  const outputs = await outputsOfStack(stackName);
  const operator = operatorOf(namesFrom(outputs));
  return examineStack({
    stackName,
    region: await operator.lambda.config.region(),
    api: Addresses.parse(outputs).ApiUrl,
    operator,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
}
