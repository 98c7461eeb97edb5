import type { AuditEntry } from '../../domain/user/audit-entry.ts';
import { JsonText } from '../../lib/json-text.ts';

const json = (text: string | undefined) => (text === undefined ? null : new JsonText(text));

export const showAuditEntry = ({ number, at, by, operation, ids, hidden, ...entry }: AuditEntry) => ({
  number,
  at_ms: at,
  by: { kind: by.kind, id: by.id ?? null, name: by.name ?? null },
  operation,
  ids,
  before: json(entry.before),
  after: json(entry.after),
  hidden,
  removed: json(entry.removed),
  is_shortened: entry.isShortened,
  request_id: entry.requestId ?? null,
  client_ip: entry.clientIp ?? null,
});
