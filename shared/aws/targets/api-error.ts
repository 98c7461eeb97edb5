import * as z from 'zod';

/** An error of an API of AWS, as the SDK throws it. */
export const ApiError = z.object({
  name: z.string(),
  message: z.string(),
  $metadata: z.object({ httpStatusCode: z.number() }),
});
export type ApiError = z.infer<typeof ApiError>;

export const apiError = (name: string, message: string, status: number): Error =>
  Object.assign(new Error(message), { name, $metadata: { httpStatusCode: status } });
