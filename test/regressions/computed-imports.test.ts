import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readComponentFiles } from '../../bin/tributary/input/local-component.ts';
import { Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

const withLoad = (load: string) =>
  `// import(name)\nexport default { name: 'Computed', version: '0.0.1',\n  async run(name) { ${load}; } };`;

test.for([
  ['import of a variable', 'await import(name)'],
  ['import of a template', 'await import(`${name}`)'],
  ['import of a package with a computed part', "await import('lodash/' + name)"],
  ['import of a computed path', 'await import(`./steps/${name}.mjs`)'],
  ['import of a template that begins with the name of a file', 'await import(`./step-${name}.mjs`)'],
  ['import of a template outside of its folder', 'await import(`../${name}.mjs`)'],
] as const)('%s is refused at creation, with file and line', async ([, load]) => {
  const { status, body } = await scene.api.post('/sources', { component_code: withLoad(load) });
  expect([status, body.code]).toEqual([400, 'build_failed']);
  expect(body.error).toMatch(/component\.mjs:3(:\d+)?: .*computed (names|paths) cannot be imported/);
});

test.for([
  ['a variable', 'require(name)', 22],
  ['a template', 'require(`${name}`)', 22],
  ['a path in a folder', "const x = require('./steps/' + name)", 32],
  ['a path that begins with the name of a file', 'require(`./step-${name}.js`)', 22],
  ['a path outside of its folder', 'require(`../lib/${name}`)', 22],
  ['a name within try', 'try { require(name); } catch {}', 28],
] as const)('require of %s is a warning at creation, with file and line', async ([, load, column]) => {
  const code = withLoad(load);
  const warnings = [
    `component.mjs:3:${column - 1}: require of a computed name finds no file and no package of the component, only modules of Node; write the name as a literal.`,
  ];
  const component = await scene.api.post('/components', { component_code: code });
  expect(component).toMatchObject({ status: 200, body: { warnings } });
  const source = await scene.api.post('/sources', { component_code: code });
  expect(source).toMatchObject({ status: 200, body: { warnings } });
  const path = `/sources/${source.body.data.id}`;
  expect((await scene.api.put(path, { component_code: code })).body.warnings).toEqual(warnings);
  // Its code was warned about before.
  const { id } = component.body.data;
  expect((await scene.api.put(path, { component_id: id })).body.warnings).toBeUndefined();
});

test.for(['/etc/passwd', 'https://example.com/x.js', './missing.js', 'node:nothing'] as const)(
  'require of the literal %s stays refused at creation',
  async (path) => {
    const { status, body } = await scene.api.post('/sources', {
      component_code: withLoad(`require('${path}')`),
    });
    expect([status, body.code]).toEqual([400, 'build_failed']);
    expect(body.error).toContain('component.mjs:3');
  },
);

test('a computed require finds modules of Node when it runs, and fails for others as in Node', async () => {
  const code = `export default { name: 'Runs', version: '1', run({ name }) {
    const { sep } = require(name);
    let code;
    try { require('./steps/' + name); } catch (error) { ({ code } = error); }
    this.$emit({ sep, code });
  } };`;
  const source = await scene.source(code);
  await scene.api.post(`/sources/${source.id}/run`, { name: 'node:path' });
  const [seen] = await scene.eventsOf(source.id, 1, { expand: 'event' });
  expect(seen?.event).toEqual({ sep: '/', code: 'MODULE_NOT_FOUND' });
});

test('a require of the component itself, and a literal one, are no warning', async () => {
  for (const load of ['const require = (n) => n; require(name)', "require('node:path')", 'require.resolve(name)'])
    expect((await scene.api.post('/components', { component_code: withLoad(load) })).body.warnings).toBeUndefined();
});

test('a computed import in another file of the component names that file', async () => {
  const { status, body } = await scene.api.post('/sources', {
    component_code: `import load from './lib/load.mjs'; export default { name: 'Two', version: '0.0.1', run: (n) => load(n) };`,
    component_files: { 'lib/load.mjs': '\nexport default (name) => import(name);' },
  });
  expect(status).toBe(400);
  expect(body.error).toContain('lib/load.mjs:2');
});

test('literals, also in a condition, and words in comments and texts are no computed imports', async () => {
  const code = withLoad("await import(name ? 'node:path' : 'node:url'); this.$emit({ text: 'import(name)' })");
  expect((await scene.api.post('/sources', { component_code: code })).status).toBe(200);
});

test('the command line sends the files that literal imports lead to, not the folder of a computed one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-computed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };
  for (let n = 0; n < 60; n += 1) write(`steps/${n}.mjs`, 'export default 1;');
  write('lib/deep.mjs', "export { default } from '../other.mjs';");
  write('other.mjs', 'export default 1;');
  const entry = write('entry.mjs', "import './lib/deep.mjs';\n" + withLoad('await import(`./steps/${name}.mjs`)'));
  const sent = await readComponentFiles(entry, 'entry.mjs');
  expect(Object.keys(sent.component_files ?? {}).sort()).toEqual(['lib/deep.mjs', 'other.mjs']);
  const { status, body } = await scene.api.post('/sources', { ...sent });
  expect(status).toBe(400);
  expect(body.error).toContain('entry.mjs:4');
});
