import { expect, test } from 'vitest';
import { interpret } from '../../../../infra/embedded/template/interpret.ts';
import { resourceTypes } from '../../../../infra/embedded/template/resource-types.ts';
import { templateWithoutCode } from '../../../support/stack.ts';

const start = (template: object) =>
  interpret(template, { origins: { api: 'http://here:1', ingress: 'http://here:2' } });
const template = templateWithoutCode({ alarmTopicArn: 'arn:aws:sns:us-east-1:000000000000:alarms' });
const oneOfEach = new Map(Object.entries(template.Resources).map(([id, resource]) => [resource.Type, id]));

/** The template with an additional property at a path. */
function withProperty(id: string, path: readonly (string | number)[]): object {
  const copy = structuredClone(template);
  let place: unknown = copy.Resources[id]?.Properties;
  for (const step of path) place = (place as Record<string | number, unknown>)[step];
  Object.assign(place as object, { Unheard: 'of' });
  return copy;
}

/** Paths of all objects in properties with deeper entries in the table. */
function objectsIn(
  value: unknown,
  type: string,
  path: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null || isIntrinsic(value)) return [];
  const spelt = path
    .map((step) => (typeof step === 'number' ? '[]' : `.${step}`))
    .join('')
    .slice(1);
  const table = Object.keys(resourceTypes[type]?.properties ?? {});
  if (
    path.length > 0 &&
    !table.some((entry) => entry.startsWith(`${spelt}.`) || entry.startsWith(`${spelt}[]`))
  )
    return [];
  const inner = Object.entries(value).flatMap(([key, field]) =>
    objectsIn(field, type, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) ? inner : [path, ...inner];
}

const isIntrinsic = (value: object) =>
  Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::'));

test('the whole template of the stack is interpreted', () => {
  expect(start(template).resources).toHaveLength(Object.keys(template.Resources).length);
});

test.each([...oneOfEach])('an unknown property anywhere in an %s stops the start', (type, id) => {
  const places = objectsIn(template.Resources[id]?.Properties ?? {}, type);
  expect(places.length).toBeGreaterThan(0);
  for (const place of places) {
    expect(() => start(withProperty(id, place))).toThrow(
      new RegExp(`^${id} \\(${type}\\) has the property \\S*Unheard`),
    );
  }
});

test.each(Object.entries(resourceTypes))(
  'every property of %s is interpreted, or has the reason why it is without effect',
  (_type, { properties }) => {
    for (const use of Object.values(properties))
      expect(use).toMatch(/^(interpreted|without effect here, because .{10,})$/);
  },
);
