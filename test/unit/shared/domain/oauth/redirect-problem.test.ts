import { expect, test } from 'vitest';
import { providerNamed } from '../../../../../shared/domain/oauth/providers.ts';
import { redirectProblem } from '../../../../../shared/domain/oauth/redirect-problem.ts';

test.each([
  ['github', 'http://127.0.0.1:3000', true],
  ['github', 'http://[::1]:3000', true],
  ['github', 'https://api.example.org', true],
  ['github', 'http://api.example.org', false],
  // Asana does not say which addresses it takes.
  ['asana', 'http://127.0.0.1:3000', true],
  ['zoom', 'http://127.0.0.1:3000', false],
  ['zoom', 'http://localhost:3000', false],
  ['zoom', 'https://api.example.org', true],
  ['twitter', 'http://127.0.0.1:3000', true],
  ['twitter', 'http://localhost:3000', false],
  ['unknown', 'http://api.example.org', true],
])('%s with the origin %s: the redirect address may work: %s', (name, origin, isTaken) => {
  const problem = redirectProblem(providerNamed(name), origin);
  expect(problem === undefined).toBe(isTaken);
  if (!isTaken) expect(problem).toContain(`takes no redirect address at ${origin}: set PUBLIC_API_URL to`);
});
