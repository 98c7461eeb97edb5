import * as z from 'zod';
import type { TableSpec } from './dynamodb/table-spec.ts';
import type { BucketSpec } from './s3/lifecycle.ts';
import type { Resource } from './template/interpret.ts';
import { readProperties } from './template/read-properties.ts';

const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const Table = z.object({
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) })),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  TimeToLiveSpecification: z.object({ AttributeName: z.string().optional(), Enabled: flag }).optional(),
});

export function tableSpec(resource: Resource): TableSpec {
  const declared = readProperties(Table, resource);
  const { TimeToLiveSpecification: expiry } = declared;
  return {
    name: resource.ref,
    keySchema: declared.KeySchema,
    attributeDefinitions: declared.AttributeDefinitions,
    timeToLiveAttribute: expiry?.Enabled ? expiry.AttributeName : undefined,
  };
}

const Bucket = z.object({
  LifecycleConfiguration: z
    .object({
      Rules: z.array(
        z.object({
          Status: z.enum(['Enabled', 'Disabled']),
          Prefix: z.string().exactOptional(),
          ExpirationInDays: z.coerce.number().int().min(1).exactOptional(),
        }),
      ),
    })
    .default({ Rules: [] }),
});

export function bucketSpec(resource: Resource): BucketSpec {
  const { LifecycleConfiguration } = readProperties(Bucket, resource);
  return {
    name: resource.ref,
    lifecycleRules: LifecycleConfiguration.Rules.map(({ Status, Prefix, ExpirationInDays }) => ({
      enabled: Status === 'Enabled',
      ...(Prefix !== undefined && { prefix: Prefix }),
      ...(ExpirationInDays !== undefined && { expirationDays: ExpirationInDays }),
    })),
  };
}
