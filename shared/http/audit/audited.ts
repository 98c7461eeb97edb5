import { cut } from '../../lib/cut.ts';
import type { AuditLog } from '../../store/users/audit-log.ts';
import type { NewAuditEntry } from '../../domain/user/audit-entry.ts';
import type { Caller } from '../authentication.ts';
import type { ApiResult, Exchange } from '../exchange.ts';
import type { Route } from '../route.ts';
import type { Match } from '../router.ts';
import { changedFields } from './changed-fields.ts';
import { idsIn } from './ids-in.ts';

export type AddAudit = AuditLog['add'];

interface Served {
  route: Route;
  serve(exchange: Exchange, match: Match, rawQuery: string): Promise<ApiResult>;
}

interface AuditedContext {
  exchange: Exchange;
  match: Match;
  /** The operations of the same function. */
  operations: Readonly<Record<string, Served>>;
  add: AddAudit;
}

const MAX_IDS = 10;
const LONGEST_NAME = 100;

/** Executes a change and adds its entry to the audit log of its user, before the change is acknowledged. */
export async function audited(context: AuditedContext, serve: () => Promise<ApiResult>): Promise<ApiResult> {
  const { exchange, match, add } = context;
  const { caller, requestId, clientIp } = exchange;
  if (!caller) throw new Error(`${match.operation} has no caller`);
  const before = await stateBefore(context);
  const result = await serve();
  const { input, data } = exchange.done ?? { input: {}, data: undefined };
  await add(caller.userId, {
    at: Date.now(),
    by: authorOf(caller),
    operation: match.operation,
    ids: idsIn([...Object.values(match.parameters), data?.['id'], ...Object.values(input)]).slice(0, MAX_IDS),
    ...changedFields({
      isRemoval: match.route.method === 'DELETE',
      before,
      after: data,
      input,
      removed: exchange.removed,
    }),
    requestId,
    clientIp,
  });
  return result;
}

function authorOf({ portal, session, key }: Caller): NewAuditEntry['by'] {
  if (portal) return { kind: 'portal' };
  if (session) return { kind: 'person', name: session.email };
  return { kind: 'key', id: key?.id, name: key && cut(key.name, LONGEST_NAME) };
}

/** The thing that the request changes, as GET shows it. A change of a thing that cannot be read goes on. */
async function stateBefore({ exchange, match: { route, parameters }, operations }: AuditedContext) {
  const isAction = route.method === 'POST';
  const path = isAction ? route.path.replace(/\/[^/{]+$/, '') : route.path;
  const found = Object.entries(operations).find(
    ([, { route: get }]) =>
      get.method === 'GET' &&
      get.path === path &&
      get.envelope === 'single' &&
      (!isAction || route.data === `${get.data}WithSecret`),
  );
  if (!found) return undefined;
  const [operation, { route: get, serve }] = found;
  const view: Exchange = { ...exchange, json: {} };
  try {
    await serve(view, { operation, route: get, parameters }, '');
    return view.done?.data;
  } catch {
    return undefined;
  }
}
