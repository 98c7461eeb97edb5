import { describe, expect, test } from 'vitest';
import { readStage } from '../../../../infra/read-stage.ts';
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
  let location: unknown = copy.Resources[id]?.Properties;
  for (const step of path) location = (location as Record<string | number, unknown>)[step];
  Object.assign(location as object, { Unheard: 'of' });
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
  if (path.length > 0 && !table.some((entry) => entry.startsWith(`${spelt}.`) || entry.startsWith(`${spelt}[]`)))
    return [];
  const inner = Object.entries(value).flatMap(([key, field]) =>
    objectsIn(field, type, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) ? inner : [path, ...inner];
}

const isIntrinsic = (value: object) => Object.keys(value).some((key) => key === 'Ref' || key.startsWith('Fn::'));

test('the whole template of the stack is interpreted', () => {
  expect(start(template).resources).toHaveLength(Object.keys(template.Resources).length);
});

test.each([...oneOfEach])('an unknown property anywhere in an %s stops the start', (type, id) => {
  const locations = objectsIn(template.Resources[id]?.Properties ?? {}, type);
  expect(locations.length).toBeGreaterThan(0);
  for (const location of locations) {
    expect(() => start(withProperty(id, location))).toThrow(
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

/** Stages that together use every setting with its own resources or properties. */
const templates = [
  readStage('dev'),
  readStage('prod'),
  readStage('governed'),
  {},
  { alarmTopicArn: 'arn:aws:sns:us-east-1:000000000000:alarms', concurrency: { ingress: 10 }, tracing: true },
].map((stage) => templateWithoutCode(stage));

/** The paths of a value and of everything in it, in the spelling of property tables. */
function pathsIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Array.isArray(value)
    ? value.flatMap((element) => pathsIn(element, `${path}[]`))
    : Object.entries(value).flatMap(([key, field]) => pathsIn(field, path === '' ? key : `${path}.${key}`));
  return [path, ...inner];
}

const resources = templates.flatMap(({ Resources }) => Object.values(Resources));

/** The attributes that `Fn::GetAtt` asks for, as `Type.Attribute`. */
const attributes = new Set<string>();
for (const { Resources, Outputs } of templates) {
  JSON.stringify({ Resources, Outputs }, (key, value: unknown) => {
    if (key === 'Fn::GetAtt' && Array.isArray(value))
      attributes.add(`${Resources[String(value[0])]?.Type}.${String(value[1])}`);
    return value;
  });
}

describe.each(Object.entries(resourceTypes))('%s stands in the template of a stage', (type, interpreted) => {
  test('with every property that is interpreted', () => {
    const own = resources.filter(({ Type }) => Type === type);
    const used = new Set(own.flatMap(({ Properties }) => pathsIn(Properties)));
    expect(used.size).toBeGreaterThan(0);
    expect(Object.keys(interpreted.properties).filter((path) => !used.has(path))).toEqual([]);
  });

  test('with every attribute', () => {
    const { attributes: known } = interpreted.identify({
      logicalId: 'Mine',
      text: (property) => (property === 'Name' ? 'api' : undefined),
      origins: { api: 'http://here:1', ingress: 'http://here:2' },
    });
    expect(Object.keys(known).filter((name) => !attributes.has(`${type}.${name}`))).toEqual([]);
  });
});
