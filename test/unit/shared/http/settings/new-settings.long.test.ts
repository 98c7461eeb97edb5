import { basename, resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * Adds a setting to sources, webhooks, accounts and subscriptions: to what is stored, and to what a request may have.
 */
const withNewSetting = (text: string) =>
  text
    .replace(/export const \w+Settings = z\s*\.object\(\{/g, '$& newSetting: z.string(),')
    .replace(/export const \w+Fields = \{/g, '$& new_setting: null as unknown as z.ZodString,');

const CHANGED = /shared\/(?:domain\/(?:source|webhook|account|subscription)|http\/settings)\/[\w-]+\.ts$/;

/** Names of files of a folder that do not compile with the new settings. */
function brokenFiles(folder: string, { config, entry }: { config: string; entry: string }): string[] {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile.bind(ts.sys)).config,
    ts.sys,
    resolve(config, '..'),
  );
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (name) => {
    const text = readFile(name);
    return text !== undefined && CHANGED.test(name) ? withNewSetting(text) : text;
  };
  const program = ts.createProgram([entry], { ...options, incremental: false, noEmit: true }, host);
  return program
    .getSourceFiles()
    .filter(({ fileName }) => resolve(fileName).startsWith(resolve(folder)))
    .filter((file) =>
      program
        .getSemanticDiagnostics(file)
        .some(({ messageText }) => /new_setting/.test(ts.flattenDiagnosticMessageText(messageText, ' '))),
    )
    .map(({ fileName }) => basename(fileName));
}

test('a new setting does not compile until options, columns and export of the command line have it or name it', () => {
  const broken = brokenFiles('bin/tributary', { config: 'tsconfig.json', entry: 'bin/tributary.ts' });
  expect(broken.sort()).toEqual([
    'account-group.ts',
    'document.ts',
    'source-columns.ts',
    'source-group.ts',
    'subscription-group.ts',
    'webhook-columns.ts',
    'webhook-group.ts',
  ]);
});

test('a new setting does not compile until forms and lists of the console have it or name it', () => {
  const console = 'functions/console/app';
  const broken = brokenFiles(console, {
    config: `${console}/tsconfig.json`,
    entry: `${console}/main.tsx`,
  });
  expect(broken.sort()).toEqual([
    'account-table.tsx',
    'cells.tsx',
    'edit-account.tsx',
    'fields-form.tsx',
    'new-source-page.tsx',
    'notice-fields.ts',
    'settings-boxes.tsx',
    'sources-page.tsx',
    'subscription-fields.ts',
    'webhook-facts.tsx',
    'webhook-fields.ts',
  ]);
});
