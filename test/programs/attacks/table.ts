import { LEVELS, type Level } from '../../../infra/embedded/isolation/levels.ts';
import { type Attack, REACHED } from './attack.ts';
import { buildAttacks } from './builder.ts';
import { codeCaches, environment } from './environment.ts';
import { files } from './files.ts';
import { network } from './network.ts';
import { processes } from './process.ts';
import { floods, leftovers, runEnds } from './resources.ts';
import { secrets } from './secrets.ts';
import { wallFiles } from './wall.ts';
import { wallLeftovers } from './wall-leftovers.ts';
import { wallNetwork } from './wall-network.ts';
import { wallProcesses } from './wall-processes.ts';

/** The tables of docs/isolation.md, made from the attack suite. */

type Row = Pick<Attack, 'attempt' | 'outcome' | 'newest' | 'publicOnly'>;

const GROUPS: readonly [string, readonly Row[]][] = [
  ['A component: files', files],
  ['A component: the environment of the C library', environment],
  ['A component: processes and the engine', processes],
  ['A component: compiled code', codeCaches],
  ['A component: refresh tokens and secrets of OAuth clients', secrets],
  ['A component: network', network.filter(({ publicOnly }) => publicOnly !== true)],
  ['A component: network, with `ALLOW_PRIVATE_NETWORK=0`', network.filter(({ publicOnly }) => publicOnly)],
  ["Without Node's permission model and guards: files", wallFiles],
  ["Without Node's permission model and guards: processes", [...wallProcesses, ...wallLeftovers]],
  ["Without Node's permission model and guards: network", wallNetwork],
  ['The builder', buildAttacks],
  ['Time, memory, disk and output', [...runEnds, ...floods, ...leftovers]],
];

/** Error codes and values are code, words are words. */
function shown(outcome: string): string {
  if (outcome === REACHED) return '**reached**';
  return /^[a-z ]+$/.test(outcome) ? outcome : `\`${outcome}\``;
}

function cellsOf({ outcome, newest }: Row): string {
  const outcomeAt = (level: Level) => (typeof outcome === 'string' ? outcome : outcome[level]);
  const later = (level: Level) =>
    newest === undefined || newest === outcomeAt(level) ? '' : ` (newest Node: ${shown(newest)})`;
  return LEVELS.map((level) => shown(outcomeAt(level)) + later(level)).join(' | ');
}

/** One line for attempts in a row that have the same responses. */
function tableOf(rows: readonly Row[]): string {
  const lines: { attempts: string[]; cells: string }[] = [];
  for (const row of rows) {
    const cells = cellsOf(row);
    const last = lines.at(-1);
    const attempt = row.attempt.replaceAll('|', '\\|');
    if (last?.cells === cells) last.attempts.push(attempt);
    else lines.push({ attempts: [attempt], cells });
  }
  return [
    `| attempt | ${LEVELS.join(' | ')} |`,
    `| --- | ${LEVELS.map(() => '---').join(' | ')} |`,
    ...lines.map(({ attempts, cells }) => `| ${attempts.join('; ')} | ${cells} |`),
  ].join('\n');
}

const BEGIN = '<!-- attacks: begin; `npm run attack-tables` writes them -->';
const END = '<!-- attacks: end -->';

/** The page with the tables of the suite between its marks. */
export function withTables(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('The page has no marks for the tables.');
  const tables = GROUPS.map(([title, rows]) => `### ${title}\n\n${tableOf(rows)}`).join('\n\n');
  const text = `<!-- oxfmt-ignore-start -->\n\n${tables}\n\n<!-- oxfmt-ignore-end -->`;
  return `${before}${BEGIN}\n${text}\n${END}${after}`;
}

export const PAGE = 'docs/isolation.md';
