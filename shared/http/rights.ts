import type { Scope } from '../domain/user/api-key.ts';
import { beyondPortal, missingScope } from '../domain/user/key-refusals.ts';
import type { Caller } from './authentication.ts';
import type { Route } from './route.ts';
import type { routes } from './routes.ts';

type Routes = typeof routes;
type OperationId = { [Group in keyof Routes]: keyof Routes[Group] }[keyof Routes];

/** `every`: each valid key. `public`: no key at all. */
export type Right = Scope | 'every' | 'public';

/** The scope that an operation needs. The router, the OpenAPI document and a test of each pair read this table. */
const RIGHTS = {
  createComponent: 'manage',
  listComponents: 'read',
  getComponent: 'read',
  // It runs code, with connected accounts.
  configureComponent: 'manage',
  getRegistryComponent: 'read',
  listSources: 'read',
  createSource: 'manage',
  getSource: 'read',
  updateSource: 'manage',
  deleteSource: 'manage',
  runSource: 'send',
  getSourceRun: 'read',
  listSourceEventSummaries: 'read',
  getSourceEvent: 'read',
  findEvents: 'read',
  listSourceEvents: 'read',
  // A token gives nothing that `read` does not give, and ends with its key.
  createSourceToken: 'read',
  deleteSourceEvents: 'manage',
  deleteSourceTriggers: 'manage',
  resetSourceDedupe: 'manage',
  listWorkflows: 'read',
  listWorkflowEventSummaries: 'read',
  listWorkflowErrorSummaries: 'read',
  createWorkflowToken: 'read',
  getWorkflowEvent: 'read',
  getWorkflowError: 'read',
  createSubscription: 'manage',
  deleteSubscription: 'manage',
  listSubscriptions: 'read',
  createAutoSubscription: 'manage',
  deleteAutoSubscription: 'manage',
  listAutoSubscriptions: 'read',
  createWebhook: 'manage',
  createPortalLink: 'manage',
  listWebhooks: 'read',
  getWebhook: 'read',
  updateWebhook: 'manage',
  deleteWebhook: 'manage',
  rotateWebhookSecret: 'manage',
  // A receiver gets a request: no event enters a source or a workflow.
  testWebhook: 'manage',
  listDeliveries: 'read',
  findDelivery: 'read',
  getDelivery: 'read',
  redeliver: 'manage',
  startRecovery: 'manage',
  getRecovery: 'read',
  listAccounts: 'read',
  createAccount: 'manage',
  getAccount: 'read',
  updateAccount: 'manage',
  deleteAccount: 'manage',
  listApps: 'read',
  startConnecting: 'manage',
  getConnectAttempt: 'read',
  getUser: 'read',
  getActivity: 'read',
  getNotices: 'read',
  // It shows addresses of callers, which no other operation shows.
  getAudit: 'manage',
  getMetrics: 'read',
  listKeys: 'read',
  getCurrentKey: 'every',
  createKey: 'manage',
  rotateKey: 'manage',
  deleteKey: 'manage',
  streamSourceEvents: 'read',
  streamWorkflowEvents: 'read',
  // They check the cookie of the browser themselves.
  getSession: 'public',
  signIn: 'public',
  handleSignIn: 'public',
  signOut: 'public',
  getOpenApi: 'public',
  getDocs: 'public',
} as const satisfies Record<OperationId, Right>;

/** The operations that a portal link gives, on its webhook only. */
const PORTAL_OPERATIONS: ReadonlySet<string> = new Set<OperationId>([
  'getWebhook',
  'updateWebhook',
  'rotateWebhookSecret',
  'testWebhook',
  'listDeliveries',
  'getDelivery',
  'redeliver',
  'startRecovery',
  'getRecovery',
]);

const rights = new Map<string, Right>(Object.entries(RIGHTS));

/** Throws for an operation that has no row, so that its function does not start. */
export function rightOf(operation: string): Right {
  const right = rights.get(operation);
  if (right === undefined) throw new Error(`The operation ${operation} has no row in the table of rights`);
  return right;
}

/** Whether an operation changes anything of the user, and so has an entry in the audit log. */
export const isChange = (operation: string, { method }: Pick<Route, 'method'>): boolean =>
  rightOf(operation) === 'manage' && method !== 'GET' && operation !== 'configureComponent';

export function checkRight(
  operation: string,
  { scopes, portal }: Pick<Caller, 'scopes' | 'portal'>,
  { id }: Readonly<Record<string, string>>,
): void {
  if (portal !== undefined) {
    if (!PORTAL_OPERATIONS.has(operation) || id !== portal) throw beyondPortal();
    return;
  }
  const right = rightOf(operation);
  if (right !== 'every' && right !== 'public' && !scopes.includes(right)) throw missingScope(right);
}
