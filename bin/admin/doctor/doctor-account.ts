import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import * as z from 'zod';
import { Concurrency, executionsOf } from '../../../infra/concurrency.ts';
import { knowsBudgets } from './budgets.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import type { Report } from '../operator-command.ts';
import { reasonOf } from '../reason.ts';
import { diagnoseQuotas } from './diagnose-quotas.ts';

interface AccountLimits {
  executions: number;
  /** Executions that no function has reserved for itself. */
  unreserved: number;
}

const AccountLimit = z.object({
  ConcurrentExecutions: z.number(),
  UnreservedConcurrentExecutions: z.number(),
});

const PRESETS = ['small', 'standard'] as const;

/** https://docs.aws.amazon.com/lambda/latest/dg/tenant-isolation-troubleshooting.html */
export const tenantEnvironments = (executions: number): number => Math.floor(executions * 2.5);

/** The limits of Lambda for the caller's account and region. */
export async function readLimits(lambda: LambdaClient): Promise<AccountLimits> {
  const settings = await lambda.send(new GetAccountSettingsCommand({})).catch((cause: unknown) => {
    throw refusedFailure(`The limits of the account cannot be read: ${reasonOf(cause)}`);
  });
  const { ConcurrentExecutions, UnreservedConcurrentExecutions } = AccountLimit.parse(settings.AccountLimit);
  return { executions: ConcurrentExecutions, unreserved: UnreservedConcurrentExecutions };
}

const hasBudgets = (cloudFormation: CloudFormationClient): Promise<boolean> =>
  knowsBudgets(cloudFormation).catch((cause: unknown) => {
    throw refusedFailure(`CloudFormation cannot be asked about budgets: ${reasonOf(cause)}`);
  });

interface Planned {
  name: string;
  concurrency: Concurrency;
  throttle: { rate: number };
  budget?: object | undefined;
}

interface Account {
  lambda: LambdaClient;
  cloudFormation: CloudFormationClient;
  quotas: ServiceQuotasClient;
}

/**
 * Compares account and region with the presets of a stage and, if there is one, with the stage that is to be deployed.
 */
export async function diagnoseAccount({ lambda, cloudFormation, quotas }: Account, stage?: Planned): Promise<Report> {
  const { executions, unreserved } = await readLimits(lambda);
  const region = await lambda.config.region();
  const presets = PRESETS.map((name) => ({ name, concurrency: Concurrency.parse(name) }));
  const compared = [...presets, ...(stage ? [stage] : [])].map((each) => compare(each, unreserved));
  const recommended = compared.slice(0, PRESETS.length).findLast(({ fits }) => fits)?.name;
  const environments = tenantEnvironments(executions);
  const lacksBudgets = stage?.budget !== undefined && !(await hasBudgets(cloudFormation));
  const others = await diagnoseQuotas(quotas, stage);
  return {
    json: {
      region,
      concurrent_executions: executions,
      unreserved,
      tenant_environments: environments,
      lacks_budgets: lacksBudgets,
      recommended: recommended ?? null,
      needs: compared.map(({ name, needs, fits, left }) => ({ name, needs, fits, left })),
      quotas: others.json,
    },
    text: [
      `Lambda allows this account ${executions} concurrent executions in ${region}; ${unreserved} are not reserved for single functions.`,
      ...compared.map(({ text }) => text),
      `Sources of isolated tenants: ${environments} environments at the same time, idle ones included.`,
      adviceOf(recommended),
      ...(lacksBudgets
        ? [`CloudFormation has no budgets in ${region}: leave out "budget", and create one in AWS Budgets.`]
        : []),
      `Quotas of other services in ${region}:`,
      ...others.text,
    ].join('\n'),
    isFailed: lacksBudgets || others.exceeds || compared.some(({ name, fits }) => name === stage?.name && !fits),
  };
}

function compare({ name, concurrency }: Pick<Planned, 'name' | 'concurrency'>, unreserved: number) {
  const needs = executionsOf(concurrency);
  const left = unreserved - needs;
  const fits = left >= 0;
  const rest = fits ? `fits, and leaves ${left} for requests` : `does not fit: ${-left} too many`;
  return { name, needs, fits, left: Math.max(left, 0), text: `  ${name}: ${sumOf(concurrency)}: ${rest}.` };
}

/** How the executions that the queues use add up. */
export function sumOf(concurrency: Concurrency): string {
  const { runs, runnersPerBatch, deliveries, retries, timers } = concurrency;
  return `${runs} runs × (1 + ${runnersPerBatch} runners) + ${deliveries} deliveries + ${retries} retries + ${timers} timers = ${executionsOf(concurrency)}`;
}

function adviceOf(recommended: string | undefined): string {
  const ask = 'ask AWS for 1,000 (Service Quotas, AWS Lambda, Concurrent executions)';
  switch (recommended) {
    case 'standard':
      return 'Use "concurrency": "standard".';
    case 'small':
      return `Use "concurrency": "small", and ${ask} before you have users: requests share the executions with the queues.`;
    default:
      return `No preset fits: ${ask}.`;
  }
}
