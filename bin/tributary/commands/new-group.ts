import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import * as z from 'zod';
import { slugOf } from '../../../shared/domain/source/slug.ts';
import type { CommandTree } from '../command-tree.ts';
import { refusedFailure, usageFailure } from '../failures.ts';
import type { Session } from '../session/command-session.ts';
import { STARTING_POINTS } from '../../../shared/domain/component/starting-points.ts';
import { shellWord } from '../output/shell-word.ts';

/** `new poller|webhook|cron|listener|relay FILE`: a starting point to edit; `new test FILE`: a test of a component. */
export function addNewCommands({ group, leaf }: CommandTree): void {
  const parent = group('new', 'Write the starting point of a component.');
  for (const kind of ['poller', 'webhook', 'cron', 'listener', 'relay'] as const) {
    const { about, code } = STARTING_POINTS[kind];
    leaf(parent, {
      usage: `${kind} <file>`,
      about,
      input: z.object({ file: z.string() }),
      examples: [
        [`tributary new ${kind} my-${kind}.mjs`, 'writes the file, which must not exist; my-file.ts is TypeScript'],
        [`tributary new ${kind} my-${kind}.mjs && tributary dev my-${kind}.mjs`, 'and runs it while you edit it'],
      ],
      run: (session, { file }) => {
        if (!COMPONENT_FILE.test(file))
          throw usageFailure(`The file ${basename(file)} must end in .mjs, .js, .cjs or .ts.`);
        const isTypeScript = file.endsWith('.ts');
        return write(
          session,
          file,
          code({ ...namesOf(file), isTypeScript }),
          `Run it while you edit it: tributary dev ${shellWord(file)}`,
        );
      },
    });
  }
  leaf(parent, {
    usage: 'test <file>',
    about: 'A test of the component of the same name, for `node --test`.',
    input: z.object({ file: z.string() }),
    examples: [
      ['tributary new test orders.test.mjs', 'writes a test of orders.mjs'],
      ['tributary new test orders.test.mjs && node --test', 'and runs it'],
    ],
    run: (session, { file }) => {
      const path = resolve(session.terminal.cwd, file);
      return write(session, file, testCode(path), isInstalledFor(path) ? RUN_TEST : INSTALL_FIRST);
    },
  });
}

/** The endings that `sources create` and `dev` take for a file. */
const COMPONENT_FILE = /\.(?:[cm]?js|ts)$/;

function namesOf(file: string): { key: string; name: string } {
  const key = slugOf(basename(file, extname(file)));
  return { key, name: key.replace(/-/g, ' ').replace(/^./, (letter) => letter.toUpperCase()) };
}

const MODULE = '@tributary-events/tributary/component';
const RUN_TEST = 'Run it: node --test';
const INSTALL_FIRST = `It imports ${MODULE}, which is not installed here. \`npm pack\` in a clone of Tributary makes the package; run \`npm install CLONE/tributary-events-tributary-*.tgz\` here, unless this is the clone. Then run the test: node --test`;

function isInstalledFor(file: string): boolean {
  try {
    createRequire(file).resolve(MODULE);
    return true;
  } catch {
    return false;
  }
}

/**
 * `orders.test.mjs` tests `orders.mjs`, or `orders.ts` if that is there. Node runs no tests in TypeScript before
 * version 22.
 */
const TEST_FILE = /^(.+)\.test(\.[cm]?js)$/;

function testCode(file: string): string {
  const [, name, ending] = TEST_FILE.exec(basename(file)) ?? [];
  if (name === undefined || ending === undefined) throw usageFailure(testNameError(basename(file)));
  const isTypeScript = existsSync(join(dirname(file), `${name}.ts`));
  const component = quoted(`./${name}${isTypeScript ? '.ts' : ending}`);
  return `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runComponent } from '@tributary-events/tributary/component';

test(${quoted(`${name} emits`)}, async () => {
  const { emits, errors } = await runComponent(new URL(${component}, import.meta.url), {
    props: {},
    event: {},
  });
  assert.deepEqual(errors, []);
  assert.ok(emits.length > 0);
});
`;
}

const quoted = (text: string): string => (/['\\\n]/.test(text) ? JSON.stringify(text) : `'${text}'`);

function testNameError(file: string): string {
  const component = /^[^.]+/.exec(file)?.[0] ?? 'orders';
  return `The file ${file} must be named ${component}.test.mjs, which tests ${component}.mjs or ${component}.ts.`;
}

const REASONS = new Map([
  ['EEXIST', 'it exists already'],
  ['ENOENT', 'its folder does not exist'],
]);

async function write({ terminal, output }: Session, file: string, code: string, next: string): Promise<void> {
  await writeFile(resolve(terminal.cwd, file), code, { flag: 'wx', mode: 0o644 }).catch(
    (error: NodeJS.ErrnoException) => {
      const reason = REASONS.get(error.code ?? '') ?? error.message;
      throw refusedFailure(`The file ${file} cannot be written: ${reason}.`, 'file_unwritable');
    },
  );
  output.result({ id: file }, `Wrote ${file}. ${next}`);
}
