import type * as z from 'zod';
import type { Resource } from './interpret.ts';
import { TemplateError } from './template-error.ts';

/** The properties of a resource by the schema of its interpreter. Throws for a value that cannot be interpreted. */
export function readProperties<Schema extends z.ZodType>(
  schema: Schema,
  { logicalId, type, properties }: Resource,
): z.output<Schema> {
  const result = schema.safeParse(properties);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join('.') ?? '';
  throw new TemplateError(
    `${logicalId} (${type}) has a value of ${path} that is not interpreted: ${issue?.message ?? ''}.`,
  );
}
