import type { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { reasonOf } from '../reason.ts';
import { type AccountQuota, accountQuotas } from './account-quotas.ts';
import { type FoundQuota, readQuota } from './read-quota.ts';

interface QuotaReport {
  json: object[];
  text: string[];
  /** The stage's `throttle.rate` is more than API Gateway allows the account. */
  exceeds: boolean;
}

/** A stage with its rate of requests. */
interface Planned {
  name: string;
  throttle: { rate: number };
}

interface Answered extends AccountQuota {
  found: FoundQuota | undefined;
  /** Why AWS did not answer. */
  refusal?: string;
}

const RIGHTS =
  'The doctor needs servicequotas:GetServiceQuota, GetAWSDefaultServiceQuota, ListServiceQuotas and ListAWSDefaultServiceQuotas.';

/** Asks the quotas of the services that a stack meets besides Lambda. A quota that cannot be read leaves the others. */
export async function diagnoseQuotas(quotas: ServiceQuotasClient, stage?: Planned): Promise<QuotaReport> {
  const answered: Answered[] = [];
  // One after the other, because Service Quotas allows few requests a second.
  for (const quota of accountQuotas) answered.push(await ask(quotas, quota));
  const gateway = answered.find(({ service }) => service === 'apigateway')?.found;
  const exceeds = gateway !== undefined && stage !== undefined && stage.throttle.rate > gateway.Value;
  return {
    json: answered.map(jsonOf),
    text: [
      ...answered.flatMap((each) => (each.refusal === undefined ? [`  ${sentenceOf(each)}`] : [])),
      ...refusals(answered),
      ...(exceeds
        ? [
            `The throttle.rate of ${stage.name}, ${stage.throttle.rate}, is more than the ${gateway.Value} requests of API Gateway: lower it, or raise the quota.`,
          ]
        : []),
    ],
    exceeds,
  };
}

async function ask(quotas: ServiceQuotasClient, quota: AccountQuota): Promise<Answered> {
  try {
    return { ...quota, found: await readQuota(quotas, quota) };
  } catch (error) {
    const isDenied = error instanceof Error && error.name === 'AccessDeniedException';
    return { ...quota, found: undefined, refusal: `${reasonOf(error)}${isDenied ? ` ${RIGHTS}` : ''}` };
  }
}

function jsonOf({ service, quota, found, refusal }: Answered): object {
  return {
    service,
    quota: found?.QuotaName ?? quota,
    code: found?.QuotaCode ?? null,
    value: found?.Value ?? null,
    adjustable: found?.Adjustable ?? null,
    ...(refusal === undefined ? {} : { refusal }),
  };
}

function sentenceOf({ title, quota, unit, limits, found }: Answered): string {
  if (!found)
    return `${title}, ${quota}: AWS lists no quota of this name, so it is not checked; look in the console under Service Quotas. It limits ${limits}.`;
  const raise = found.Adjustable
    ? `Raise it in Service Quotas, ${title}, ${found.QuotaName}.`
    : 'AWS does not raise it.';
  return `${title}: ${found.Value} ${unit}. It limits ${limits}. ${raise}`;
}

/** One sentence for each reason. */
function refusals(answered: readonly Answered[]): string[] {
  const byReason = new Map<string, Set<string>>();
  for (const { title, refusal } of answered)
    if (refusal !== undefined) byReason.set(refusal, (byReason.get(refusal) ?? new Set()).add(title));
  return [...byReason].map(([reason, titles]) => `The quotas of ${[...titles].join(', ')} cannot be read: ${reason}`);
}
