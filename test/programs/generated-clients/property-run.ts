import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { firstMissing, type JobContext } from './try-client.ts';

const run = promisify(execFile);

const SCHEMATHESIS = '4.32.5';
const SECONDS = 600;
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'allow_header_conformance',
].join();

const Operation = z.looseObject({
  parameters: z.array(z.looseObject({ name: z.string() })),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })) }).optional(),
});
const Document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), Operation)) });

const FIELD_LISTS = ['include', 'exclude'];

/** `include` and `exclude`, in the query or in the body, leave out members that the schema requires. */
function withoutFieldLists(text: string): object {
  const document = Document.parse(JSON.parse(text));
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    operation.parameters = operation.parameters.filter(({ name }) => !FIELD_LISTS.includes(name));
    for (const body of Object.values(operation.requestBody?.content ?? {}))
      body.schema = { allOf: [body.schema, { propertyNames: { not: { enum: FIELD_LISTS } } }] };
  }
  return document;
}

/**
 * Sends requests that schemathesis generates from the document, with ids that its links give. Reports a response with
 * 5xx, and one that the document does not allow.
 */
export async function propertyRun({ document, env }: JobContext): Promise<string> {
  const missing = await firstMissing(['python3']);
  if (missing !== undefined) return `skipped: there is no ${missing} here`;
  const folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
  const python = join(folder, 'venv', 'bin');
  try {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(withoutFieldLists(document)));
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    await run(join(python, 'pip'), ['install', '-q', `schemathesis==${SCHEMATHESIS}`]);
    const options = [
      ...['run', 'openapi.json', '--url', env['ORIGIN'] ?? '', '--header', `authorization: Bearer ${env['KEY'] ?? ''}`],
      ...['--phases', 'examples,fuzzing,stateful', '--checks', CHECKS, '--exclude-path-regex', '/sse$'],
      ...['--workers', '2', '--max-time', String(SECONDS), '--max-examples', '400', '--continue-on-failure'],
    ];
    const { stdout } = await run(join(python, 'st'), options, {
      cwd: folder,
      maxBuffer: 256 * 1024 * 1024,
    }).catch((error: { stdout: string }) => error);
    const [, count = '0 generated'] = /Test cases:\s+(.*)/.exec(stdout) ?? [];
    const [, failures = ''] = /Failures:\s+((?: +❌.*\n)+)/.exec(stdout.replace(/Failures:\n/, 'Failures:\n ')) ?? [];
    return `${count}${failures === '' ? '' : `\n${failures}`}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
