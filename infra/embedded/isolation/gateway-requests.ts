import * as z from 'zod';

const Family = z.union([z.literal(0), z.literal(4), z.literal(6)]).default(0);

const Connect = z.object({
  host: z.string().min(1).max(255),
  port: z.number().int().min(0).max(65_535),
  family: Family,
});
export type Connect = z.infer<typeof Connect>;

const id = z.number();
/** One line from a process; see `gateway-client.ts`. */
const Request = z.union([
  z.object({ id, connect: Connect }),
  z.object({
    id,
    lookup: z.object({ host: z.string().max(255), family: Family, hints: z.number().int().default(0) }),
  }),
  z.object({ id, resolve: z.object({ name: z.string().max(255), type: z.string().max(8) }) }),
]);
export type Request = z.infer<typeof Request>;

/** Undefined for text that is no request. */
export function requestOf(line: string): Request | undefined {
  try {
    return Request.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** The members of an error of Node by which clients tell causes apart. */
const ErrorMembers = z.object({
  message: z.string(),
  code: z.string().optional(),
  errno: z.number().optional(),
  syscall: z.string().optional(),
  address: z.string().optional(),
  port: z.number().optional(),
  hostname: z.string().optional(),
});

/** The error of a request as a response. */
export function errorOf(error: unknown): z.infer<typeof ErrorMembers> {
  // Node tries several addresses and reports each failure.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { success, data } = ErrorMembers.safeParse(
    first instanceof Error ? { ...first, message: first.message } : undefined,
  );
  return success ? data : { message: String(first) };
}
