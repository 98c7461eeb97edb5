import * as z from 'zod';

/** A request with only these fields, and the choice of fields of the response. */
export const onlyFields = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject(
    { ...fields, include: z.unknown().optional(), exclude: z.unknown().optional() },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `there is no field ${issue.keys.join(', ')}. The fields are ${Object.keys(fields).join(', ')}`
          : undefined,
    },
  );
