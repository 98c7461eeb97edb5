import * as z from 'zod';
import { describe, expect, test } from 'vitest';
import { checkRemoval } from '../../../../../shared/http/query/check-removal.ts';
import { readQuery } from '../../../../../shared/http/query/read-query.ts';
import { routes } from '../../../../../shared/http/routes.ts';
import type { Route } from '../../../../../shared/http/route.ts';

const operations: [string, Route][] = Object.values(routes).flatMap((group) => Object.entries<Route>(group));
const removals = operations.filter(([, { method }]) => method === 'DELETE');

test('there are operations that remove', () => expect(removals.length).toBeGreaterThan(5));

describe.each(removals)('%s', (_, route) => {
  const input = z.instanceof(z.ZodObject).parse(route.input);
  const check = (query: string, json = {}) => checkRemoval(route, readQuery(query), json);
  const known = Object.keys(input.shape);

  test('takes its parameters, and the choice of fields', () => {
    expect(() => check([...known, 'include', 'exclude'].map((name) => `${name}=x`).join('&'))).not.toThrow();
  });

  test('refuses a query parameter that it does not know', () => {
    for (const name of ['startId', 'x', 'Force', 'event', 'constructor', 'dryRun', 'ID', '%00'])
      expect(() => check(`${name}=1`), name).toThrow(/is not known: this operation takes/);
    for (const name of known) expect(() => check(`${name.toUpperCase()}=1`), name).toThrow(/is not known/);
  });

  test('refuses an empty parameter that narrows it, and a misspelt one in its body', () => {
    for (const name of known.filter((each) => /(^|_)(start|end|since|until|before|after)(_|$)/.test(each)))
      expect(() => check(`${name}=`), name).toThrow(/is empty, which would remove more/);
    if (route.from !== 'both') return;
    for (const name of known) {
      const misspelt = name.replace(/_(.)/g, (__, letter: string) => letter.toUpperCase());
      if (misspelt !== name) expect(() => check('', { [misspelt]: 'x' })).toThrow(/of the body is not known/);
    }
    expect(() => check('', { org_id: 'o_1', [known[0] ?? '']: 'x' })).not.toThrow();
  });
});
