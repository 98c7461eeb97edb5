import * as z from 'zod';
import type { Interpretation } from '../template/interpret.ts';
import { readProperties } from '../template/read-properties.ts';
import { functionArn } from '../template/resource-type.ts';

/** One `AWS::Lambda::Function` of the template. */
export interface FunctionSpec {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  /** ARN of the role of its code. */
  readonly role: string;
  /** Object key of its code asset: hash and `.zip`. */
  readonly assetKey: string;
  /** File (without `.js`) and export: `index`, `handler`. */
  readonly handler: { readonly module: string; readonly name: string };
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly reservedConcurrency: number | undefined;
  readonly perTenant: boolean;
  readonly logGroup: string;
}

const Declared = z.object({
  Code: z.object({ S3Key: z.string().regex(/^[0-9a-f]{64}\.zip$/) }),
  Handler: z.string().regex(/^[\w/-]+\.\w+$/),
  Role: z.string(),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }).default({ Variables: {} }),
  Timeout: z.coerce.number().int().min(1).max(900).default(3),
  MemorySize: z.coerce.number().int().min(128).max(10_240).default(128),
  ReservedConcurrentExecutions: z.number().int().min(0).optional(),
  LoggingConfig: z.object({ LogGroup: z.string().optional() }).default({}),
  TenancyConfig: z.object({ TenantIsolationMode: z.literal('PER_TENANT') }).optional(),
});

export function functionSpecs(stack: Interpretation): FunctionSpec[] {
  return stack.ofType('AWS::Lambda::Function').map((resource) => {
    const declared = readProperties(Declared, resource);
    const dot = declared.Handler.lastIndexOf('.');
    return {
      logicalId: resource.logicalId,
      name: resource.ref,
      arn: functionArn(resource.ref),
      role: declared.Role,
      assetKey: declared.Code.S3Key,
      handler: { module: declared.Handler.slice(0, dot), name: declared.Handler.slice(dot + 1) },
      environment: declared.Environment.Variables,
      timeoutMs: declared.Timeout * 1000,
      memoryMb: declared.MemorySize,
      reservedConcurrency: declared.ReservedConcurrentExecutions,
      perTenant: declared.TenancyConfig !== undefined,
      logGroup: declared.LoggingConfig.LogGroup ?? `/aws/lambda/${resource.ref}`,
    };
  });
}

/** Takes the name of a function, its ARN, or its ARN with a qualifier. */
export const functionNameOf = (reference: string): string => /:function:([^:]+)/.exec(reference)?.[1] ?? reference;
