import { defaultConcurrentRuns } from '../../../infra/capacity.ts';
import { Stage } from '../../../infra/stage.ts';
import type { Runs, RunsOptions } from './runs-queue.ts';
import { CODE_MS } from './stack-flow.ts';

interface BacklogScenario extends RunsOptions {
  readonly stage: string;
  readonly load: string;
}

/** Three users, each with one source whose runs take 2 s: `small` has two instances. */
const USERS = 3;
const CODE_OF_BEHIND_MS = 2_000;
const WAITING = 100_000;
const SECONDS = 240;

const stageOf = (name: 'small' | 'standard', sources: number) => {
  const { concurrency } = Stage.parse({ concurrency: name });
  return {
    stage: `\`${name}\``,
    concurrency,
    // Others keep an instance, however many sources are behind.
    slices: concurrency.runs - 1,
    concurrentRuns: defaultConcurrentRuns(concurrency),
    others: { sources, rate: 0.5, codeMs: CODE_MS },
    seconds: SECONDS,
  };
};
const small = stageOf('small', 6);
const standard = stageOf('standard', 40);

const behind = (rate: number, waiting: number) => ({
  sources: USERS,
  rate,
  codeMs: CODE_OF_BEHIND_MS,
  waiting,
});
const nobody = {
  load: '1 a second each, with short runs',
  behind: { ...behind(1, 0), codeMs: CODE_MS },
  hasBacklog: true,
};
const waiting = { load: '100,000 wait for each, 1 a second more', behind: behind(1, WAITING) };
/** Until the queue without backlogs is longer than its window, and two minutes more. */
const filling = { load: '600 a second to each, from empty', behind: behind(600, 0), seconds: 300 };

export const backlogScenarios: readonly BacklogScenario[] = [
  ...[small, standard].flatMap((stage) => [
    { ...stage, ...nobody },
    { ...stage, ...waiting, hasBacklog: false },
    { ...stage, ...waiting, hasBacklog: true },
  ]),
  { ...standard, ...filling, hasBacklog: false },
  { ...standard, ...filling, hasBacklog: true },
];

const HEADINGS = [
  'stage',
  'three users',
  'their triggers wait in',
  'runs of others',
  'p50 of others',
  'p99 of others',
  'most in `runs`',
  'moved',
  'refused',
];

const whole = (value: number) => Math.round(value).toLocaleString('en');
const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;

function cellsOf({ stage, load, behind, hasBacklog }: BacklogScenario, runs: Runs | undefined): string[] {
  if (!runs) throw new Error('A scenario has no result.');
  const { ran, sent, p50, p99, mostMessages, moved, refused } = runs;
  return [
    stage,
    load,
    behind.codeMs === CODE_MS ? '' : hasBacklog ? 'backlogs' : '`runs`',
    `${whole(ran)} of ${whole(sent)}`,
    seconds(p50),
    seconds(p99),
    whole(mostMessages),
    whole(moved),
    whole(refused),
  ];
}

/** The second table of docs/scale.md, of the results of all scenarios. */
export function backlogTable(results: readonly Runs[]): string {
  const cells = backlogScenarios.map((scenario, index) => cellsOf(scenario, results[index]));
  return [HEADINGS, HEADINGS.map(() => '---'), ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
