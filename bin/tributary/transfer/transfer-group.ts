import * as z from 'zod';
import { plainLine } from '../../plain-text.ts';
import type { CommandTree } from '../command-tree.ts';
import { CommandFailure, refusedFailure, usageFailure } from '../failures.ts';
import { parseJson, readNamedFile } from '../input/read-input.ts';
import { apiBase } from '../session/service-address.ts';
import { checkKey } from '../session/target.ts';
import type { Session } from '../session/command-session.ts';
import { Document } from './document.ts';
import { documentOf } from './export-document.ts';
import { readSetValues } from './set-values.ts';
import { importDocument } from './import-document.ts';
import { type ImportReport, reportLine } from './import-report.ts';
import { type AccountState, readAccountState } from './read-account.ts';
import { shellWord } from '../output/shell-word.ts';

const PIPEDREAM = 'https://api.pipedream.com/v1';

const ImportInput = z.object({
  file: z.string().optional(),
  dryRun: z.boolean().default(false),
  fromPipedream: z.boolean().default(false),
  fromUrl: z.string().default(PIPEDREAM),
  fromKey: z.string().optional(),
  active: z.boolean().default(false),
  set: z.array(z.string()).default([]),
});

/** `export` and `import`. */
export function addTransferCommands({ program, leaf }: CommandTree): void {
  leaf(program, {
    usage: 'export',
    about: 'Print components, sources, subscriptions and webhooks as one JSON document, without secrets.',
    input: z.object({}),
    examples: [
      ['tributary export > tributary.json', 'keeps everything in a file'],
      ['tributary export --profile prod | diff tributary.json -', 'shows what differs'],
    ],
    run: async (session) => {
      const document = documentOf(await readAccountState(await session.api()));
      session.output.document(document);
    },
  });
  leaf(program, {
    usage: 'import [file]',
    about: 'Make what a document has and this account lacks, and update what differs. Deletes nothing.',
    options: [
      ['--dry-run', 'print what would change'],
      ['--from-pipedream', 'read a Pipedream account instead of a file'],
      ['--from-url <address>', `its API, ${PIPEDREAM} otherwise`],
      ['--from-key <key>', 'its API key, PIPEDREAM_API_KEY otherwise'],
      ['--active', 'run the sources of the other account here too'],
      ['--set <source.prop=value...>', 'value of a prop that does not come along; @file reads a file'],
    ],
    input: ImportInput,
    examples: [
      ['tributary import tributary.json --set shop.token=@token.txt', 'gives the source shop its secret'],
      ['PIPEDREAM_API_KEY=… tributary import --from-pipedream', 'copies an account; its sources are off'],
    ],
    run: importInto,
  });
}

async function importInto(session: Session, input: z.infer<typeof ImportInput>): Promise<void> {
  if ((input.file === undefined) === !input.fromPipedream)
    throw usageFailure('Name a file, or --from-pipedream: one of them.');
  const document =
    input.file === undefined ? await remoteDocument(session, input) : await fileDocument(session, input.file);
  const setValues = await readSetValues(session, document, input.set);
  const api = await session.api();
  const before = await readAccountState(api);
  const report = await importDocument(api, document, {
    before,
    setValues,
    isDryRun: input.dryRun,
    areInactive: input.fromPipedream && !input.active,
  });
  show(session, report, { isDryRun: input.dryRun, connect: connectCommands(report, before) });
  if (report.leftOut.length === 0) return;
  const noun = report.leftOut.length === 1 ? 'thing was' : 'things were';
  throw new CommandFailure(1, { error: `${report.leftOut.length} ${noun} left out.`, code: 'left_out' });
}

/** The commands that connect the accounts that are missing, one per app. */
const connectCommands = ({ missingApps }: ImportReport, { signInApps }: AccountState): string[] =>
  [...missingApps].map((app) => `tributary accounts ${signInApps.has(app) ? 'connect' : 'add'} ${shellWord(app)}`);

function show(
  { output }: Session,
  report: ImportReport,
  { isDryRun, connect }: { isDryRun: boolean; connect: readonly string[] },
): void {
  const { made, changed, unchanged, leftOut } = report;
  if (output.json) {
    output.result({ made, changed, unchanged, left_out: leftOut, connect }, '');
    return;
  }
  const [make, change] = isDryRun ? ['would make', 'would change'] : ['made', 'changed'];
  if (!output.quiet) {
    for (const what of made) output.text(`${make} ${plainLine(what)}`);
    for (const what of changed) output.text(`${change} ${plainLine(what)}`);
  }
  output.text(reportLine(report));
  for (const sentence of leftOut) output.note(`Left out: ${plainLine(sentence)}`);
  if (connect.length > 0) output.note('Connect these accounts first:');
  for (const command of connect) output.note(`  ${plainLine(command)}`);
}

async function fileDocument({ terminal }: Session, path: string): Promise<Document> {
  const text = await readNamedFile(terminal, path);
  const read = Document.safeParse(parseJson(path, text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const member = issue?.path.join('.') || 'the document';
  const problem = issue?.message.replace(/^Invalid input: /, '') ?? 'it is wrong';
  const sentence = problem.endsWith(' received undefined') ? `${member} is missing` : `${member}: ${problem}`;
  throw usageFailure(`${path} is no document of tributary export: ${sentence}.`, 'invalid_document');
}

async function remoteDocument(session: Session, { fromUrl, fromKey }: z.infer<typeof ImportInput>): Promise<Document> {
  const key = fromKey ?? session.terminal.env['PIPEDREAM_API_KEY'] ?? '';
  if (key === '') throw usageFailure("Pipedream's key is missing: add --from-key, or set PIPEDREAM_API_KEY.", 'no_key');
  checkKey(key);
  const remote = session.apiAt({ base: apiBase(fromUrl, '--from-url'), key });
  const state = await readAccountState(remote).catch((error: unknown) => {
    if (error instanceof CommandFailure && error.report.code === 'unauthenticated')
      throw refusedFailure("Pipedream's key was refused: check --from-key or PIPEDREAM_API_KEY.", 'wrong_key');
    throw error;
  });
  return documentOf(state);
}
