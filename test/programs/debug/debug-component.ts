import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtCommand } from '../../../bin/built-command.mjs';
import { runComponentWith } from '../../../bin/component/run-component.ts';
import * as z from 'zod';
import { directProcesses, type Processes } from '../../../shared/runtime/processes.ts';
import { programArguments } from '../../support/program-arguments.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Runs a component once, in a process that waits for a debugger. */
const {
  names: [file = '', event],
} = programArguments({
  usage: 'npm run debug-component -- FILE [EVENT]',
  does: 'Runs the component of FILE once, in a process that waits for a debugger. EVENT is its event, as JSON.',
  names: z
    .array(z.string())
    .min(1, 'Name the file of a component.')
    .max(2, 'There are at most two arguments: FILE and EVENT.')
    .refine(([, text]) => text === undefined || isJson(text), 'EVENT must be JSON.'),
  options: {},
});
const ADDRESS = '127.0.0.1:9230';
const HOUR_MS = 3_600_000;

const direct = directProcesses();
let started = 0;
let described: Promise<unknown> = Promise.resolve();

/**
 * The first process of the runner describes the component. The second one runs it: it starts after the first, to have
 * the port.
 */
const inspected: Processes = {
  ...direct,
  async start({ args, ...options }) {
    if (!args.some((arg) => arg.endsWith('runner/child.js'))) return direct.start({ args, ...options });
    started += 1;
    if (started !== 2) {
      const child = await direct.start({ args, ...options });
      if (started === 1) described = child.ended;
      return child;
    }
    await described;
    process.stderr.write(`Within 20 s, run: node inspect ${ADDRESS}\n`);
    // Node's permission model refuses the inspector.
    const allowed = args.filter((arg) => !/^--(?:allow-|permission$|experimental-permission$)/.test(arg));
    return direct.start({ ...options, args: [`--inspect-brk=${ADDRESS}`, ...allowed] });
  },
};

const programs = join(dirname(dirname(fileURLToPath(await builtCommand()))), 'assembly', 'functions');
const run = await runComponentWith(
  programs,
  file,
  { timeoutMs: HOUR_MS, ...(event === undefined ? {} : { event: JSON.parse(event) as unknown }) },
  inspected,
);
process.stdout.write(`${JSON.stringify(run, null, 2)}\n`);
