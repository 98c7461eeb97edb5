import { resolve } from 'node:path';
import { chooseIsolation } from '../../infra/embedded/isolation/level.ts';
import { meaningOf } from '../../infra/embedded/isolation/levels.ts';
import type { Settings } from '../settings.ts';
import type { Answer } from './command.ts';

/**
 * Checks this machine as `npm start` would find it: the version of Node, the isolation level of components, and the data directory.
 * Throws `IsolationUnavailable` when ISOLATION demands a level that this machine does not have.
 */
export async function diagnoseMachine({
  isolation: demanded,
  dataDir,
}: Pick<Settings, 'isolation' | 'dataDir'>): Promise<Answer> {
  const { level } = await chooseIsolation(demanded);
  const machine = { node: process.version, isolation: level, data_dir: resolve(dataDir) };
  const stronger =
    level === 'sandbox'
      ? ''
      : '\n  A stronger level needs bubblewrap (the package bubblewrap of Linux distributions).';
  return {
    json: machine,
    text: [
      `Node.js: ${machine.node}`,
      `Isolation: ${level}: ${meaningOf[level]}${stronger}`,
      `Data directory: ${machine.data_dir}`,
    ].join('\n'),
  };
}
