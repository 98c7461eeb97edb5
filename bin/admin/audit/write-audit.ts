import { CreateLogStreamCommand, PutLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { randomUUID } from 'node:crypto';
import { appendFile, rename, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { diskProblem } from '../../disk-problem.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import { logsClient } from '../operator-clients.ts';
import { reasonOf } from '../reason.ts';
import { auditLine, type OperatorAction } from './audit-line.ts';

/** Writes the line before the command does anything: without its line, the command does nothing. */
export async function auditOnStack(logGroupName: string, action: OperatorAction): Promise<void> {
  const logs = logsClient();
  // It loads code for signatures, which commands on this machine do not need.
  const { callerOf } = await import('./caller-identity.ts');
  const now = new Date();
  const logStreamName = `${now.toISOString().slice(0, 10)}/${randomUUID()}`;
  try {
    const message = auditLine(action, await callerOf(logs));
    await logs.send(new CreateLogStreamCommand({ logGroupName, logStreamName }));
    const logEvents = [{ timestamp: now.getTime(), message }];
    await logs.send(new PutLogEventsCommand({ logGroupName, logStreamName, logEvents }));
  } catch (cause) {
    throw refusedFailure(
      `The audit line cannot be written to the log group ${logGroupName}, so nothing was done: ${reasonOf(cause)}`,
    );
  }
}

const MAX_BYTES = 10_000_000;

/** Appends the line to a file. A disk problem loses it: commands that free space must work. */
export async function auditOnMachine(dataDir: string, action: OperatorAction): Promise<void> {
  const file = join(dataDir, 'audit.jsonl');
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (size >= MAX_BYTES) await rename(file, join(dataDir, 'audit.1.jsonl')).catch(() => undefined);
  const line = auditLine(action, userInfo().username);
  await appendFile(file, `${line}\n`, { mode: 0o600 }).catch((error: unknown) => {
    if (diskProblem(error) === undefined) throw error;
  });
}
