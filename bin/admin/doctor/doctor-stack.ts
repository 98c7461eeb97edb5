import { VERSION } from '../../../shared/domain/version.ts';
import { type Check, Refuted, Unused } from './checks/claim.ts';
import { functionChecks } from './checks/function-checks.ts';
import { gatewayChecks } from './checks/gateway-checks.ts';
import { oauthChecks } from './checks/oauth-checks.ts';
import { queueChecks } from './checks/queue-checks.ts';
import { runnerChecks } from './checks/runner-checks.ts';
import { scheduleChecks } from './checks/schedule-checks.ts';
import { stackChecks } from './checks/stack-checks.ts';
import type { Report } from '../operator-command.ts';
import { createSubject, type Subject, type SubjectOptions } from './doctor-subject.ts';

interface Finding {
  name: string;
  /** `open`: the stack gave no response. */
  status: 'holds' | 'refuted' | 'unused' | 'open';
  observation: string;
}

/** In the order of the report. The timer is last: its first tick is a minute away. */
export const checks: readonly Check[] = [
  ...functionChecks,
  ...runnerChecks,
  ...gatewayChecks,
  ...stackChecks,
  ...queueChecks,
  ...oauthChecks,
  ...scheduleChecks,
];

interface Examined extends SubjectOptions {
  region: string;
}

/**
 * Checks the claims that only a deployed stack can confirm. Creates two users for that, and deletes them with
 * everything they own.
 */
export async function examineStack({ region, ...options }: Examined): Promise<Report> {
  const { stackName } = options;
  const subject = createSubject(options);
  const findings: Finding[] = [];
  // The first tick of its timer is a minute away: the other checks use that time.
  subject.ticker().catch(() => undefined);
  for (const check of checks) findings.push(await findingOf(check, subject));
  const cleanUp = await subject.close().then(
    () => 'removed its users and sources',
    (error: unknown) => `users named doctor-… are left: ${shownError(error)}`,
  );
  const head = {
    stack: stackName,
    region,
    version: VERSION,
    node: process.version,
    at: new Date(options.operator.now()).toISOString(),
  };
  return {
    json: { ...head, checks: findings, clean_up: cleanUp },
    text: [
      `Tributary ${head.version}, stack ${stackName} in ${region}, ${head.at}, doctor on Node ${head.node}`,
      ...findings.map(lineOf),
      `The doctor ${cleanUp}.`,
    ].join('\n'),
    isFailed: findings.some(({ status }) => status === 'refuted' || status === 'open'),
    unreadable: options.operator.unreadable.all(),
  };
}

async function findingOf({ name, ask }: Check, subject: Subject): Promise<Finding> {
  try {
    return { name, status: 'holds', observation: withoutSecrets(await ask(subject)) };
  } catch (error) {
    return { name, status: statusOf(error), observation: shownError(error) };
  }
}

function statusOf(error: unknown): Finding['status'] {
  if (error instanceof Refuted) return 'refuted';
  return error instanceof Unused ? 'unused' : 'open';
}

const lineOf = ({ name, status, observation }: Finding): string => {
  const { claim } = checks.find((check) => check.name === name) ?? {};
  return `${status.padEnd(8)} ${name}: ${claim}\n         ${observation}`;
};

function shownError(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const [line = ''] = message.split('\n');
  return withoutSecrets(name === 'Error' ? line : `${name}: ${line}`);
}

/** The report may become public: it names no account, address, key or id of a user. */
export const withoutSecrets = (text: string): string =>
  text
    .replace(/https?:\/\/[^\s"']+/g, '[address]')
    .replace(/\barn:[^\s"']+/g, '[arn]')
    .replace(/\b\d{12}\b/g, '[account]')
    .replace(/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, '[key]')
    .replace(/\b(?:u|dc|sc|wh|sub)_[0-9a-z]{20,}\b/g, '[id]')
    .replace(/\b[A-Za-z0-9_-]{43}\b/g, '[key]');
