import * as z from 'zod';

/** Entries of a user; a newer one replaces the oldest. */
export const KEPT_ENTRIES = 10_000;
export const AUDIT_DAYS = 90;

/** A change of a user's things. */
export const AuditEntry = z.object({
  /** Counts the changes of the user. */
  number: z.int(),
  /** Epoch ms. */
  at: z.number(),
  /**
   * `operator`: a command of `tributary admin`; `portal`: a customer with a link; `person`: one who has signed in, with
   * the address as the name. These are without an id.
   */
  by: z.object({
    kind: z.enum(['key', 'operator', 'portal', 'person']),
    id: z.string().optional(),
    name: z.string().optional(),
  }),
  /** The id in the OpenAPI document, or the words of a command. */
  operation: z.string(),
  ids: z.array(z.string()),
  /** JSON texts of objects, whose members have the names of the API. */
  before: z.string().optional(),
  after: z.string().optional(),
  removed: z.string().optional(),
  /** Fields that were set or changed, and whose values are not kept. */
  hidden: z.array(z.string()),
  isShortened: z.boolean(),
  requestId: z.string().optional(),
  clientIp: z.string().optional(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
export type NewAuditEntry = Omit<AuditEntry, 'number'>;

export interface AuditFilter {
  /** Id or name of a key, or the address of a person. */
  key?: string | undefined;
  operation?: string | undefined;
  /** Epoch ms; the first one is in the range, the second one is not. */
  since?: number | undefined;
  until?: number | undefined;
}

export const passesAuditFilter = (
  { at, by, operation }: AuditEntry,
  { key, operation: only, since = -Infinity, until = Infinity }: AuditFilter,
): boolean =>
  (key === undefined || by.id === key || by.name === key) &&
  (only === undefined || operation === only) &&
  at >= since &&
  at < until;
