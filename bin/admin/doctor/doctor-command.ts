import * as z from 'zod';
import { DataDirectoryUnusable } from '../../../infra/embedded/disk/disk.ts';
import { readStage } from '../../../infra/read-stage.ts';
import { lambdaClient } from '../../../shared/aws/clients.ts';
import { readSettings } from '../../settings.ts';
import { deadLetterCounts } from '../commands/dead-letter-commands.ts';
import { namesFrom, outputsOfStack } from '../names.ts';
import { type Operate, operatorOf } from '../operator.ts';
import { cloudFormationClient, serviceQuotasClient } from '../operator-clients.ts';
import type { Report } from '../operator-command.ts';
import type { DoctorInput } from './doctor-words.ts';
import { diagnoseAccount } from './doctor-account.ts';
import { diagnoseMachine, type ServiceFindings } from './doctor-machine.ts';
import { diagnoseOAuth } from './doctor-oauth.ts';
import { examineStack } from './doctor-stack.ts';

export async function diagnose(
  { account, stage, stack }: z.infer<typeof DoctorInput>,
  { env, operate }: { env: Readonly<Record<string, string | undefined>>; operate: Operate },
): Promise<Report> {
  if (stack !== undefined) return diagnoseStack(stack);
  if (!account) return diagnoseMachine({ ...readSettings(env), service: () => examineService(operate) });
  const planned = stage === undefined ? undefined : { name: stage, ...readStage(stage) };
  const clients = {
    lambda: lambdaClient(),
    cloudFormation: cloudFormationClient(),
    quotas: serviceQuotasClient(),
  };
  return diagnoseAccount(clients, planned);
}

/** Undefined when no service has used the data directory. */
async function examineService(operate: Operate): Promise<ServiceFindings | undefined> {
  try {
    return await operate(undefined, async (operator) => ({
      runningVersion: operator.machine?.runningVersion,
      deadLetters: await deadLetterCounts(operator),
      oauth: await diagnoseOAuth(operator),
      unreadable: operator.unreadable.all(),
    }));
  } catch (error) {
    if (error instanceof DataDirectoryUnusable) return undefined;
    throw error;
  }
}

const Addresses = z.object({ ApiUrl: z.url(), DeliveryAddresses: z.string().optional() });

async function diagnoseStack(stackName: string): Promise<Report> {
  const outputs = await outputsOfStack(stackName);
  const operator = operatorOf(namesFrom(outputs));
  const { ApiUrl, DeliveryAddresses } = Addresses.parse(outputs);
  return examineStack({
    stackName,
    region: await operator.lambda.config.region(),
    api: ApiUrl,
    deliveryAddresses: DeliveryAddresses?.split(',') ?? [],
    operator,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
}
