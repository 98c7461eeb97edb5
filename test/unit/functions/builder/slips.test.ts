import { expect, test } from 'vitest';
import type { SourceFile } from '../../../../functions/builder/component-plugin.ts';
import { slipsOf } from '../../../../functions/builder/slips/slips.ts';
import { scriptsOf } from '../../../../functions/builder/syntax-tree.ts';

const file = (id: string, text: string): SourceFile => ({
  id,
  text,
  loader: id.endsWith('.ts') ? 'ts' : 'js',
});

async function slipsIn(code: string, other = '', name = 'a.mjs') {
  return slipsOf(await scriptsOf([file(name, code), file('other.mjs', other)]), name);
}
const reads = async (code: string, other?: string) => (await slipsIn(code, other)).reads.sort();
const component = (members: string) => `export default { name: 'x', ${members} };`;

test.each([
  ['an export', component('run: async (event) => {}')],
  ['a variable', `const run = () => {}; const c = { name: 'x', run }; export { c as default };`],
  ['CommonJS', `module.exports = { name: 'x', run: () => {} };`],
  ['defineSource', `import { defineSource } from 't'; export default defineSource({ name: 'x', run: () => {} });`],
])('an arrow function as run is found: %s', async (_, code) => {
  expect(await slipsIn(code)).toEqual({ arrows: ['run'], reads: [] });
});

test('hooks and methods that are arrow functions are found if they use this', async () => {
  const code = component(`hooks: { deploy: async () => { this.x(); }, activate: () => 1 },
    methods: { a: () => [1].map(() => this.b), c: () => function () { return this.d; } }, run() {}`);
  expect((await slipsIn(code)).arrows).toEqual(['hooks.deploy', 'methods.a']);
});

test.each([
  ['a member', 'run() { this.a.b(); }', ['a']],
  ['a call within an arrow function', 'run() { [1].map(() => this.a()); }', ['a']],
  ['a literal in brackets', `run() { this['a']; }`, ['a']],
  ['a pattern', 'run() { const { a, b: c } = this; }', ['a', 'b']],
  ['hooks and methods', 'hooks: { deploy() { this.a; } }, methods: { m() { this.b; } }, run() {}', ['a', 'b']],
])('reads of this are found: %s', async (_, members, names) => {
  expect(await reads(component(members))).toEqual(names);
});

test.each([
  ['$emit and the like', 'this.$emit(this.$auth)'],
  ['a name that is set', 'this.a = 1; this.a.b'],
  ['a name that is set by a pattern', '[this.a] = [1]; this.a.b'],
  ['a name that is counted', 'this.a ??= 0; this.a += 1; this.a'],
  ['a name with ??', 'this.a ?? 1; this.a.b'],
  ['a name with ?.', 'this.a?.b; this.c?.()'],
  ['a condition', 'if (this.a) this.a.b; const x = this.c ? this.c.d : 1'],
  ['a negation or typeof', 'if (!this.a || typeof this.b) return; this.a.b; this.b.c'],
  ['a comparison', 'if (this.a === undefined) return; this.a.b'],
  ['a pattern with a default', 'const { a = 1 } = this;'],
  ['a function of its own', '[1].map(function () { return this.a; });'],
  ['a class', 'class A { a = 1; get() { return this.a; } b = this.a; }'],
  ['a computed name', 'this[event]'],
  ['Object.assign', 'Object.assign(this, event); this.a.b'],
  ['a computed name that is set', 'this[event] = 1; this.a.b'],
  ['an alias that is set', 'const self = this; self.a = 1; this.a.b'],
])('a name that may be there is none: %s', async (_, body) => {
  expect(await reads(component(`run(event) { ${body} }`))).toEqual([]);
});

test('a name that another file of the component sets is none', async () => {
  const code = component('run() { this.a.b; this.c.d; }');
  expect(await reads(code, 'export function init(self) { self.a = {}; }')).toEqual(['c']);
  expect(await reads(code, 'export const init = (self, o) => Object.assign(self, o);')).toEqual([]);
});

test('code of any shape ends with a result', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const many = Array.from({ length: 1_000 }, (_, n) => `this.a${n};`).join('');
  expect(await reads(component(`run() { ${deep} }`))).toEqual([]);
  expect(await reads(component(`run() { ${many} this.${'b'.repeat(100)}; }`))).toHaveLength(200);
  expect(await slipsIn('const a = b; const b = a; export default a;')).toEqual({ arrows: [], reads: [] });
  expect(await slipsIn('export default {')).toEqual({ arrows: [], reads: [] });
});
