import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { decide, type Request } from '../../infra/embedded/iam/decide.ts';
import { policiesOf } from '../../infra/embedded/iam/policies.ts';
import { interpret } from '../../infra/embedded/template/interpret.ts';
import { testAssembly } from '../support/cloud.ts';
import type { Template } from '../support/template.ts';
import { TEST_ORIGINS } from '../support/origins.ts';

const calls = join(inject('records'), 'calls');
/** The operator's roles allow what only AWS has, such as restorations: commands of tests run with no other rights. */
const isOperator = (role: string) => role.includes(':role/Operator');
const recorded = readdirSync(calls)
  .flatMap((name) => JSON.parse(readFileSync(join(calls, name), 'utf8')) as Request[])
  .filter(({ principal }) => !isOperator(principal.name));
const policies = policiesOf(interpret(testAssembly().template, { origins: TEST_ORIGINS }));
const { Resources } = testAssembly().template as Template;

/** `RoleId.policy#2` as the template has it. */
function textOf(id: string): string {
  const [, roleId = '', index = ''] = /^([^.]+)\..*#(\d+)$/.exec(id) ?? [];
  const [policy] = (Resources[roleId]?.Properties['Policies'] ?? []) as {
    PolicyDocument: { Statement: object[] };
  }[];
  const { Action, Resource } = (policy?.PolicyDocument.Statement[Number(index)] ?? {}) as Record<string, unknown>;
  return `${[Action].flat().join(', ')} on ${JSON.stringify(Resource)}`;
}

const statements = [...policies.identity]
  .filter(([role]) => !isOperator(role))
  .flatMap(([role, own]) => own.map(({ id }) => ({ role, id, text: textOf(id) })))
  // Used where an object is missing, which few tests make happen in every function.
  .filter(({ text }) => !text.startsWith('s3:ListBucket '));

test('the run records enough calls and statements', () => {
  expect(recorded.length).toBeGreaterThan(100);
  expect(statements.length).toBeGreaterThan(50);
});

/** Nothing is granted that is never used (docs/security.md). */
test.each(statements)('without $id ($text) a call of this run is refused', ({ role, id }) => {
  const without = {
    ...policies,
    identity: new Map(policies.identity).set(
      role,
      (policies.identity.get(role) ?? []).filter((statement) => statement.id !== id),
    ),
  };
  const refused = recorded.filter((request) => !decide(without, request).allowed);
  expect(
    refused.length,
    'never used: take it out of infra/functions.ts, infra/grant-group.ts or infra/grants.ts, or test its use',
  ).toBeGreaterThan(0);
});

/** The bucket and the key of a resource. */
function objectOf({ resource }: Request): { bucket: string; key: string } {
  const [bucket = '', ...key] = resource.split('/');
  return { bucket, key: key.join('/') };
}

test('a function may list no other objects than those below prefixes that it uses', () => {
  const ofObjects = recorded.filter(({ action }) => action.startsWith('s3:') && action !== 's3:ListBucket');
  const roles = new Map(ofObjects.map((request) => [JSON.stringify(request.principal), request]));
  const prefixes = new Set(ofObjects.map((request) => objectOf(request).key.split('/')[0]));
  const listed = [...roles].flatMap(([role, request]) =>
    [...prefixes, 'other'].flatMap((prefix) => {
      const isUsed = ofObjects.some(
        (each) => JSON.stringify(each.principal) === role && objectOf(each).key.startsWith(`${prefix}/`),
      );
      const context = { 's3:prefix': `${prefix}/x` };
      const list = { ...request, action: 's3:ListBucket', resource: objectOf(request).bucket, context };
      return !isUsed && decide(policies, list).allowed ? [`${role} lists ${prefix}`] : [];
    }),
  );
  expect(prefixes.size).toBeGreaterThan(3);
  expect(listed).toEqual([]);
});

/** S3 answers 403 for a missing object as for a refused read: see `shared/aws/bucket.ts`. */
test('every function that read an object may list it', () => {
  const reads = recorded.filter(({ action }) => action === 's3:GetObject');
  expect(reads.length).toBeGreaterThan(0);
  const refused = reads.filter((read) => {
    const { bucket, key } = objectOf(read);
    const list = { ...read, action: 's3:ListBucket', resource: bucket, context: { 's3:prefix': key } };
    return !decide(policies, list).allowed;
  });
  expect(refused).toEqual([]);
});
