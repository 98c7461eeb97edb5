import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withAuthFields } from '../../../../shared/domain/component/auth-fields.ts';
import { type Workbench, workbench } from './workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await workbench();
});
afterAll(() => bench.close());

/** App props of a component: name → slug. */
type Apps = Record<string, string>;

/** The fields of each app prop of a component, whose other files are given by path. */
async function fieldsOf(code: string, files: Record<string, string> = {}, apps: Apps = { github: 'github' }) {
  const { authReads } = await bench.built({
    code,
    path: 'sources/new/new.mjs',
    files: Object.entries(files),
  });
  const props = Object.entries(apps).map(([name, app]) => ({ name, type: 'app', app }));
  return Object.fromEntries(withAuthFields(props, authReads).map(({ name, authFields }) => [name, authFields]));
}

const running = (statements: string) => `export default { name: 'x', async run() { ${statements} } }`;

describe('a read of a field is', () => {
  test.each([
    ['a member', `this.github.$auth.token`],
    ['a member of an optional chain', `this.github?.$auth?.token.length`],
    ['a member in brackets', `this['github']['$auth']['token']`],
    ['a template without substitution in brackets', 'this.github.$auth[`token`]'],
    ['a name with an escape', String.raw`this.github.\u0024auth["t\u006fken"]`],
    ['an argument', `fetch(\`https://x/\${this.github.$auth.token}\`)`],
    ['a member of an alternative', `(this.github.$auth ?? {}).token`],
    ['a value that is changed', `this.github.$auth.token += 'x'`],
    ['a destructured name', `const { token } = this.github.$auth`],
    ['a destructured name with a default', `const { token = 'x' } = this.github.$auth`],
    ['a destructured name with a default, in an alternative', `const { token } = this.github.$auth || {}`],
    ['a destructured, renamed name', `const { token: t = 'x' } = this.github.$auth`],
    ['a destructured name in quotes', `const { 'token': t } = this.github.$auth`],
    ['a destructured name in brackets', `const { ['token']: t } = this.github.$auth`],
    ['a nested name', `const { $auth: { token } } = this.github`],
    ['a deeply nested name', `const { github: { $auth: { token: { length = 1 } = '' } = {} } = {} } = this`],
    ['a name beside others', `const { token, ...others } = this.github.$auth`],
    ['a name of the others', `const { ...others } = this.github.$auth; others.token`],
    ['an assigned name', `let t; ({ token: t } = this.github.$auth)`],
    ['a member of a destructured $auth', `const { $auth } = this.github; $auth.token`],
    ['a member of a renamed $auth', `const { $auth: a = {} } = this.github; a.token`],
    ['a member of a variable', `const a = this.github.$auth; a.token`],
    ['a member of a variable of a variable', `const a = this.github.$auth, b = a; b.token`],
    ['a member of a variable that gets its value later', `let a; const f = () => a.token; a = this.github.$auth; f()`],
    ['a member of a variable with a condition', `let a; a ??= this.github ? this.github.$auth : {}; a.token`],
    ['a member of a parameter', `(({ $auth }) => $auth.token)(this.github)`],
    ['a name of a destructured parameter', `(({ $auth: { token } }) => token)(this.github)`],
    ['a default of a parameter', `((a = this.github.$auth) => a.token)()`],
    ['a name within a loop', `for (const { $auth: { token } } of [this.github]) token`],
    ['a name in an inner function', `const a = this.github.$auth; return () => { { return a.token } }`],
    ['a path in an argument', `get(this, 'github.$auth.token')`],
    ['a path in an argument after its object', `get(this.github, '$auth.token', '')`],
    ['a name in a class', `const self = this; class X { t = self.github.$auth.token; static { self } }`],
  ])('%s', async (_, statements) => {
    expect(await fieldsOf(running(statements))).toEqual({ github: ['token'] });
  });

  test('one in an old script that counts on sloppy mode', async () => {
    const code = `module.exports = { name: 'x', run() { for (item of [1]) ; with (this) { github.$auth.token } } }`;
    const { authReads } = await bench.built({ code });
    expect(authReads).toEqual([{ names: ['token'], prop: 'github', apps: [] }]);
  });

  test('one in TypeScript', async () => {
    const code = `export default { name: 'x', run(this: { github: any }) { return (this.github!.$auth as Record<string, string>).token satisfies string } }`;
    const { authReads } = await bench.built({ code });
    expect(authReads).toEqual([{ names: ['token'], prop: 'github', apps: [] }]);
  });
});

describe('no read of a field is', () => {
  test.each([
    ['no $auth at all', `this.github.token`],
    ['a computed name', `this.github.$auth[this.name]`],
    ['a template with a substitution', 'this.github.$auth[`to${"k"}en`]'],
    ['an $auth that is handed on', `fetch(this.github.$auth)`],
    ['a copy', `const a = { ...this.github.$auth }; a.token`],
    ['an assignment', `this.github.$auth.token = 1; [this.github.$auth.key] = [2]; delete this.github.$auth?.id`],
    ['a method of every object', `this.github.$auth.hasOwnProperty('x'); this.github.$auth.toString()`],
    ['a variable of the same name elsewhere', `{ const a = this.github.$auth } { const a = {}; a.token }`],
    ['a shadowing parameter', `const a = this.github.$auth; ((a) => a.token)({})`],
    ['a private member', `class X { #$auth = {}; t = this.#$auth.token }`],
    [
      'a text or a comment',
      `/* this.github.$auth.token */ 'this.github.$auth.token'; fetch('this.github.$authtoken', '$auth')`,
    ],
  ])('%s', async (_, statements) => {
    expect(await fieldsOf(running(statements))).toEqual({ github: [] });
  });
});

describe('a read belongs', () => {
  const app = (slug: string, statements: string) =>
    `export default { type: 'app', app: '${slug}', propDefinitions: { repo: { type: 'string', async options() { return [this.$auth.in_definition_of_${slug}] } } }, methods: { call() { ${statements} } } }`;
  const two = { github: 'github', chat: 'slack' };

  test('to the prop that the code names, and in the files of an app to its props', async () => {
    const code = `import github from '../../github.app.mjs'; import slack from '../../slack.app.mjs'; import common from '../common.mjs';
      export default { ...common, name: 'x', props: { github, chat: slack, repo: { propDefinition: [github, 'repo'] } }, run() { this.github.$auth.own; this.chat.$auth.other } }`;
    const files = {
      'github.app.mjs': app('github', 'return this.$auth.token'),
      'slack.app.mjs': `import { send } from './lib/send.mjs'; ${app('slack', 'return send(this)')}`,
      'lib/send.mjs': `import './deeper.mjs'; export const send = (that) => that.$auth.bot_token`,
      'lib/deeper.mjs': `export const sign = ({ $auth: { secret } }) => secret`,
      'sources/common.mjs': `export default { methods: { both() { return this.chat.$auth.common } } }`,
    };
    expect(await fieldsOf(code, files, two)).toEqual({
      github: ['in_definition_of_github', 'own', 'token'],
      chat: ['bot_token', 'common', 'in_definition_of_slack', 'other', 'secret'],
    });
  });

  test('to both apps, when one extends the other', async () => {
    const code = `import sheets from '../../sheets.app.mjs'; import drive from '../../drive.app.mjs'; export default { name: 'x', props: { sheets, drive } }`;
    const files = {
      'drive.app.mjs': app('drive', 'return this.$auth.token'),
      'sheets.app.mjs': `import drive from './drive.app.mjs'; export default { ...drive, type: 'app', app: 'sheets', methods: { ...drive.methods, own() { return this.$auth.sheet } } }`,
    };
    const both = ['in_definition_of_drive', 'token'];
    const apps = { sheets: 'sheets', drive: 'drive' };
    expect(await fieldsOf(code, files, apps)).toEqual({ sheets: [...both, 'sheet'].sort(), drive: both });
    expect(await fieldsOf(code, files, { sheets: 'sheets' })).toEqual({ sheets: [...both, 'sheet'].sort() });
  });

  test('to the app whose object has it, in a component that declares its apps itself', async () => {
    const code = `const github = { type: 'app', app: 'github', methods: { call() { return this.$auth.token } } };
      export default { name: 'x', props: { github, chat: { type: 'app', app: 'slack', methods: { call() { return this.$auth.bot_token } } } } }`;
    expect(await fieldsOf(code, {}, two)).toEqual({ github: ['token'], chat: ['bot_token'] });
  });

  test.each([
    [
      'the component cannot tell',
      `const of = (app) => app.$auth.token; export default { name: 'x', run() { of(this.github) } }`,
    ],
    ['it is of one of two', `export default { name: 'x', run() { (this.github ?? this.chat).$auth.token } }`],
    [
      'a variable has one after the other',
      `export default { name: 'x', run() { let a = this.github.$auth; a = this.chat.$auth; a.token } }`,
    ],
    [
      'the app has no literal slug',
      `const slug = 'git' + 'hub'; export default { name: 'x', props: { github: { type: 'app', app: slug, methods: { x() { this.$auth.token } } } } }`,
    ],
  ])('to every app prop when %s', async (_, code) => {
    expect(await fieldsOf(code, {}, two)).toEqual({ github: ['token'], chat: ['token'] });
  });

  test('to all props of the same app', async () => {
    const files = {
      'github.app.js': `module.exports = { type: "app", app: "github", methods: { x() { return this.$auth.token } } }`,
    };
    const code = `const github = require('../../github.app'); module.exports = { name: 'x', props: { from: github, to: github } }`;
    const { authReads } = await bench.built({
      code,
      path: 'sources/new/new.js',
      files: Object.entries(files),
    });
    expect(authReads).toEqual([{ names: ['token'], apps: ['github'] }]);
  });
});

describe('code of an attacker', () => {
  test('gives only names that a field may have: at most 64 of letters, digits, "_", "-" and "."', async () => {
    const names = ['__proto__', 'constructor', 'größe', 'a b', '', 'x'.repeat(65), '<b>', 'a\u0000', '0', 'a-b.c_D'];
    const code = running(`${names.map((name) => `this.github.$auth[${JSON.stringify(name)}]`).join(';')};
      const { __proto__, get, ['__proto__']: p } = this.github.$auth; ({ get x() { return this.$auth.inGetter }, set ['$auth'](v) {} })`);
    expect(await fieldsOf(code)).toEqual({ github: ['0', 'a-b.c_D', 'get', 'inGetter'] });
  });

  test('with other names before $auth changes no prototype and reaches no wrong prop', async () => {
    const code = running(
      `this.__proto__.$auth.token; this.constructor.$auth.token; this[${JSON.stringify('p'.repeat(100))}].$auth.token`,
    );
    const { authReads } = await bench.built({ code });
    expect(authReads?.map(({ prop }) => prop)).toEqual(['__proto__', 'constructor', undefined]);
    expect(await fieldsOf(code)).toEqual({ github: ['token'] });
  });

  test('gives at most 50 names of a prop and 20 groups', async () => {
    const fields = Array.from({ length: 70 }, (_, n) => `f${String(n).padStart(2, '0')}`);
    const code = running(fields.map((name) => `this.github.$auth.${name}; this.p${name}.$auth.x`).join(';'));
    const { authReads = [] } = await bench.built({ code });
    expect(authReads).toHaveLength(20);
    expect((await fieldsOf(code))['github']).toEqual(fields.slice(0, 50));
  });

  const many = (count: number, text: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => text(n)).join('');

  test.each([
    ['20,000 members of members', `globalThis.a?.$auth.seen${'.b'.repeat(20_000)}`],
    ['20,000 $auth of $auth', `globalThis.a?.$auth.seen${'.$auth'.repeat(20_000)}`],
    ['a pattern of 100,000 elements', `var a; [${'a,'.repeat(100_000)}] = [].$auth?.seen ?? []`],
    ['a pattern of 50,000 names', `var {${many(50_000, (n) => `n${n},`)} seen} = this?.$auth ?? {}`],
    ['30,000 variables', `var a; var ${many(30_000, (n) => `v${n}=a?.$auth,`)} z=v9?.seen`],
    ['30,000 apps', `const apps = [${`{type:'app',app:'x'},`.repeat(30_000)}]; apps.$auth?.seen`],
    [
      '20,000 look-ups within 300 blocks',
      `${many(300, (n) => `{let n${n}={};`)}${many(20_000, (n) => `n${n % 300}.b;`)}var $auth;$auth?.seen;${'}'.repeat(300)}`,
    ],
  ])('with %s is read within 25 s', async (_, statements) => {
    const began = performance.now();
    const { authReads = [] } = await bench.built({ code: `module.exports = { name: 'x' };\n${statements}` });
    const names = authReads.flatMap((read) => read.names);
    expect(names.some((name) => name === 'seen' || name.startsWith('n1'))).toBe(true);
    expect(performance.now() - began).toBeLessThan(25_000);
  });

  test('that nests deeper than the parser goes is built, without the reads of that file', async () => {
    const reading = running('this.a.$auth.token');
    for (const deep of [`${'['.repeat(5_000)}${']'.repeat(5_000)}`, `x${'=x'.repeat(20_000)}`]) {
      const { authReads } = await bench.built({ code: `${reading}; let x; export const y = () => ${deep}` });
      expect(authReads).toEqual([]);
    }
  });

  test('of more than 1 MiB is built, and read as far as that goes', async () => {
    const large = `export const x = (a) => a.$auth.large; export default ${JSON.stringify('x'.repeat(2 * 1024 * 1024))}`;
    const code = `import './large.mjs'; ${running('this.a.$auth.small')}`;
    const { authReads } = await bench.built({ code, path: 'new.mjs', files: [['large.mjs', large]] });
    expect(authReads).toEqual([{ names: ['small'], prop: 'a', apps: [] }]);
  });

  test('with 10 MB of members ends the compiler, and the next build has another', async () => {
    const code = `globalThis.a?.$auth${'.b'.repeat(5_000_000)}; ${running('')}`;
    expect(await bench.failure({ code })).toBe(
      'the compiler ended before the build was done: the code nests too deeply',
    );
    expect(await fieldsOf(running('this.github.$auth.token'))).toEqual({ github: ['token'] });
  });
});
