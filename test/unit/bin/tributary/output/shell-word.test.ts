import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Api } from '../../../../../bin/tributary/session/api.ts';
import { commandWith, shellWord } from '../../../../../bin/tributary/output/shell-word.ts';
import { Document } from '../../../../../bin/tributary/transfer/document.ts';
import { importDocument } from '../../../../../bin/tributary/transfer/import-document.ts';

/** The words that a shell takes from a line. */
const words = (line: string): string[] =>
  execFileSync('sh', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

test.each(['plain', 'a b', "it's", '$(id)', '`id`', '"', '\\', '*', '; id', '', '~', 'a\nb', '!x', 'ü'])(
  'a shell takes %j as one word',
  (text) => {
    expect(words(shellWord(text))).toEqual([text]);
  },
);

test('an operand that looks like an option stays an operand', () => {
  expect(words(commandWith('update', '--url=http://x', '--name y'))).toEqual([
    'update',
    '--name',
    'y',
    '--',
    '--url=http://x',
  ]);
});

const none = () => Promise.reject(new Error('A dry run sends nothing.'));
const api: Api = { get: none, send: none, page: none, stream: none } as unknown as Api;

test.each([
  `a'; touch made; $(touch made) \`touch made\` "$(touch made)" > made \n touch made #`,
  `a; touch made; b`,
  `$(touch made)`,
])('the commands that an import prints do nothing else, whatever a document says: %j', async (evil) => {
  const folder = mkdtempSync(join(tmpdir(), 'shell-word-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const source = (slug: string, props: object) => ({ slug, name: evil, component: 'h', active: true, props });
  const document = Document.parse({
    version: 1,
    components: [{ code_hash: 'h', key: evil, name: evil, code: '' }],
    sources: [
      source(evil, { [evil]: { secret: true } }),
      source(`--${evil}`, { [evil]: { account: { app: evil, name: evil } } }),
    ],
    webhooks: [
      { name: evil, url: evil, description: evil, active: true, headers: { [evil]: { secret: true } } },
      { name: `-${evil}`, url: evil, description: null, active: true, headers: { [evil]: { secret: true } } },
    ],
    subscriptions: [{ emitter: { workflow: evil }, listener: { source: evil }, stream: evil }],
    auto_subscriptions: [{ stream: evil, listener: { workflow: evil } }],
  });
  const before = {
    components: new Map(),
    sources: [],
    webhooks: [],
    subscriptions: [],
    autoSubscriptions: [],
    workflows: [],
    accounts: [],
    noticesId: undefined,
    signInApps: new Set<string>(),
  };
  const { leftOut } = await importDocument(api, document, {
    before,
    isDryRun: true,
    areInactive: false,
    setValues: new Map(),
  });
  const commands = leftOut.flatMap((sentence) => /(?:tributary \w+ |npm run admin )[^]*$/.exec(sentence) ?? []);
  expect(commands).toHaveLength(6);
  for (const command of commands) {
    execFileSync('sh', ['-c', `tributary() { :; }; npm() { :; }; ${command}`], { cwd: folder });
    expect(readdirSync(folder), command).toEqual([]);
  }
});
