import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../shared/domain/errors.ts';
import { check } from '../../../shared/domain/check.ts';
import type { Route } from '../../../shared/http/route.ts';
import { routes } from '../../../shared/http/routes.ts';

const all = Object.values(routes).flatMap((group) => Object.entries<Route>(group));

function problemOf({ input }: Route): ServiceError | undefined {
  try {
    check(input, {});
    return undefined;
  } catch (error) {
    return error instanceof ServiceError ? error : expect.fail(String(error));
  }
}

/** `details[0].message` of a create without a component was ", component_code or component_url is required". */
test('a create without a component names the missing parameters', () => {
  const problem = problemOf(routes.sources.createSource);
  expect(problem).toMatchObject({
    message: 'component_id is required unless component_code, component_url or key is given.',
    details: [
      {
        path: 'component_id',
        message: 'is required unless component_code, component_url or key is given',
      },
    ],
  });
  expect(problemOf(routes.components.createComponent)?.details).toEqual([
    { path: 'component_code', message: 'is required unless component_url is given' },
  ]);
});

describe.each(all)('%s with an empty input', (_, route) => {
  test('can stand behind the name of the parameter, and by itself', () => {
    for (const { path, message } of problemOf(route)?.details ?? [])
      expect(message, path).toMatch(path === '' ? /^one of / : /^(?:is|must|has) /);
  });
});
