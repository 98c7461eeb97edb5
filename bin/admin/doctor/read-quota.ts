import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  ListAWSDefaultServiceQuotasCommand,
  ListServiceQuotasCommand,
  type ServiceQuota,
  type ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import * as z from 'zod';
import type { AccountQuota, QuotaWords } from './account-quotas.ts';

const FoundQuota = z.object({
  QuotaName: z.string(),
  QuotaCode: z.string(),
  Value: z.number(),
  Adjustable: z.boolean().default(true),
});
export type FoundQuota = z.output<typeof FoundQuota>;

/** A service has a few dozen quotas. */
const MAX_PAGES = 20;

/**
 * The value of the account, or the default of AWS for an account that has none. Undefined if AWS knows no such quota.
 */
export async function readQuota(
  quotas: ServiceQuotasClient,
  { service, key }: Pick<AccountQuota, 'service' | 'key'>,
): Promise<FoundQuota | undefined> {
  if (typeof key === 'string') {
    const wanted = { ServiceCode: service, QuotaCode: key };
    const applied = await known(quotas.send(new GetServiceQuotaCommand(wanted)));
    const found = applied ?? (await known(quotas.send(new GetAWSDefaultServiceQuotaCommand(wanted))));
    return parsed(found?.Quota);
  }
  const applied = (NextToken?: string) =>
    quotas.send(new ListServiceQuotasCommand({ ServiceCode: service, MaxResults: 100, NextToken }));
  const defaults = (NextToken?: string) =>
    quotas.send(new ListAWSDefaultServiceQuotasCommand({ ServiceCode: service, MaxResults: 100, NextToken }));
  return parsed((await findNamed(key, applied)) ?? (await findNamed(key, defaults)));
}

const parsed = (quota: ServiceQuota | undefined): FoundQuota | undefined => FoundQuota.safeParse(quota).data;

interface Page {
  Quotas?: ServiceQuota[] | undefined;
  NextToken?: string | undefined;
}

async function findNamed(
  words: QuotaWords,
  list: (token?: string) => Promise<Page>,
): Promise<ServiceQuota | undefined> {
  let token: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await known(list(token));
    const found = page?.Quotas?.find(({ QuotaName: name = '' }) => isNamed(name, words));
    token = page?.NextToken;
    if (found || token === undefined) return found;
  }
  return undefined;
}

function isNamed(name: string, { contains, lacks = [] }: QuotaWords): boolean {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return contains.every((word) => letters.includes(word)) && !lacks.some((word) => letters.includes(word));
}

/** Undefined for a service or quota that Service Quotas does not know. */
async function known<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchResourceException') return undefined;
    throw error;
  }
}
