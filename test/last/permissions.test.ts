import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { decide, type Request } from '../../infra/embedded/iam/decide.ts';
import { policiesOf } from '../../infra/embedded/iam/policies.ts';
import { interpret } from '../../infra/embedded/template/interpret.ts';
import { testAssembly } from '../support/cloud.ts';
import type { Template } from '../support/stack.ts';

const calls = join(inject('records'), 'calls');
const recorded = readdirSync(calls).flatMap(
  (name) => JSON.parse(readFileSync(join(calls, name), 'utf8')) as Request[],
);
const policies = policiesOf(interpret(testAssembly().template, { publicUrl: 'http://127.0.0.1' }));
const { Resources } = testAssembly().template as Template;

/** `RoleId.policy#2` as the template has it. */
function textOf(id: string): string {
  const [, roleId = '', index = ''] = /^([^.]+)\..*#(\d+)$/.exec(id) ?? [];
  const [policy] = (Resources[roleId]?.Properties['Policies'] ?? []) as {
    PolicyDocument: { Statement: object[] };
  }[];
  const { Action, Resource } = (policy?.PolicyDocument.Statement[Number(index)] ?? {}) as Record<
    string,
    unknown
  >;
  return `${[Action].flat().join(', ')} on ${JSON.stringify(Resource)}`;
}

const statements = [...policies.identity].flatMap(([role, own]) =>
  own.map(({ id }) => ({ role, id, text: textOf(id) })),
);

test('the run records enough calls and statements', () => {
  expect(recorded.length).toBeGreaterThan(100);
  expect(statements.length).toBeGreaterThan(50);
});

/** Issue 2, "Done when": nothing is granted that is never used. */
test.each(statements)('without $id ($text) a call of this run is refused', ({ role, id }) => {
  const without = {
    ...policies,
    identity: new Map(policies.identity).set(
      role,
      (policies.identity.get(role) ?? []).filter((statement) => statement.id !== id),
    ),
  };
  const refused = recorded.filter((request) => !decide(without, request).allowed);
  expect(refused.length, 'never used: take it out of infra/stack.ts, or test what it is for').toBeGreaterThan(
    0,
  );
});
