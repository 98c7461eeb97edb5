import { describe, expect, test } from 'vitest';
import type { Route } from '../../../../shared/http/route.ts';
import { routes } from '../../../../shared/http/routes.ts';
import * as z from 'zod';
import { createTributary } from '../../../../shared/client/create-tributary.ts';

/** A client of a service whose every response is this text. */
const clientOf = (text: string) =>
  createTributary({
    url: 'http://service.test/v1/',
    key: 'k',
    fetch: () => Promise.resolve(new Response(text, { headers: { 'content-type': 'application/json' } })),
  });

test('getText gives a response as the service wrote it', async () => {
  const text = '{"data":{"b":1.0,"2":1e400,"1":12345678901234567890}}';
  expect(await clientOf(text).getText('/v1/users/me')).toBe(text);
});

test.each(['{', '<p>', '{"data":'])('%s of another program is no response of Tributary', async (text) => {
  await expect(clientOf(text).get('/v1/users/me')).rejects.toMatchObject({ code: 'not_tributary' });
});

test.each(['{}', '[]', '{"data":{}}'])('%s is no list', async (text) => {
  await expect(clientOf(text).items('/v1/users/me/sources').next()).rejects.toMatchObject({
    code: 'not_tributary',
  });
});

describe('a removal with a parameter that has no value sends nothing, and names the parameter', () => {
  const removals = Object.values(routes)
    .flatMap((group): Route[] => Object.values(group))
    .filter(({ method }) => method === 'DELETE');
  const parameters = removals.flatMap(({ path, input }) =>
    Object.keys(input instanceof z.ZodObject ? input.shape : {})
      .filter((name) => !path.includes(`{${name}}`))
      .map((name): [string, string] => [path, name]),
  );

  async function sentBy(path: string, init: object): Promise<{ sent: number; error: unknown }> {
    let sent = 0;
    const tributary = createTributary({
      url: 'http://service.test',
      key: 'k',
      fetch: () => {
        sent += 1;
        return Promise.resolve(new Response(null, { status: 204 }));
      },
    });
    const error: unknown = await tributary.delete(path, init).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { sent, error };
  }

  test('two unset variables do not delete all events', async () => {
    const query = { start_id: undefined, end_id: undefined };
    const { sent, error } = await sentBy('/v1/sources/{id}/events', {
      params: { path: { id: 'dc_a' }, query },
    });
    expect(sent).toBe(0);
    expect(error).toMatchObject({ code: 'invalid_request', kind: 'invalid', field: 'start_id' });
    expect(String(error)).toContain('start_id has no value. Without it more would be removed');
  });

  test.each(parameters)('%s: %s', async (path, name) => {
    expect(parameters.length).toBeGreaterThan(5);
    for (const value of [undefined, null]) {
      for (const init of [{ params: { query: { [name]: value } } }, { body: { [name]: value } }])
        expect(await sentBy(path, init)).toMatchObject({ sent: 0, error: { field: name } });
    }
    expect(await sentBy(path, { params: { query: { [name]: 'x' } } })).toEqual({ sent: 1, error: undefined });
    expect(await sentBy(path, {})).toEqual({ sent: 1, error: undefined });
  });
});
