import * as z from 'zod';

export const HookName = z.enum(['deploy', 'activate', 'deactivate']);
export type HookName = z.infer<typeof HookName>;

/**
 * Properties of the component that decide how triggers are handled. Stored with the source, because every run needs
 * them.
 */
export const SourceTraits = z.object({
  dedupe: z.enum(['unique', 'greatest', 'last']).optional(),
  hasRun: z.boolean(),
  hooks: z.array(HookName),
  /** Names of the interface props, e.g. `http`, `timer`. */
  httpProp: z.string().optional(),
  /** Name of the prop whose app sends events to the endpoint; only without an HTTP interface. */
  apphookProp: z.string().optional(),
  /** Name of the app prop that the component declares for it. */
  apphookAppProp: z.string().optional(),
  customResponse: z.boolean(),
  timerProp: z.string().optional(),
  /** The timer with defaults applied; absent without a timer prop. */
  timer: z
    .union([
      z.object({ intervalSeconds: z.number().int() }),
      z.object({ cron: z.string(), timezone: z.string().optional() }),
    ])
    .optional(),
  /** App props: prop name to app slug. */
  appProps: z.record(z.string(), z.string()).optional(),
  /** App props that need an account. Absent in sources of earlier releases. */
  neededAccounts: z.array(z.string()).optional(),
});
export type SourceTraits = z.infer<typeof SourceTraits>;
