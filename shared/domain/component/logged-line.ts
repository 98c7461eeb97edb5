import * as z from 'zod';

/** A line that a component logged before it failed. */
export const LoggedLine = z.object({ level: z.string(), msg: z.string() });
export type LoggedLine = z.infer<typeof LoggedLine>;
