import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import { STARTING_POINTS } from '../../../../shared/domain/component/starting-points.ts';

const folder = mkdtempSync(join(tmpdir(), 'starting-points-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the starting points in TypeScript have no type error, with strict types', () => {
  const files = Object.entries(STARTING_POINTS).map(([kind, { code }]) => {
    const file = join(folder, `${kind}.ts`);
    writeFileSync(file, code({ key: 'mine', name: 'Mine', isTypeScript: true }));
    return file;
  });
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
    paths: { '@tributary-events/tributary/component': [resolve('bin/component/index.ts')] },
  });
  const found = ts.getPreEmitDiagnostics(program);
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});
