import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, describe, expect, test } from 'vitest';
import { SNIPPETS } from '../../../../functions/console/app/pages/webhooks/snippet-texts.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const OLDER_SECRET = 'whsec_AAAQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const BODY = '{"city":"Zürich","n":1}';
const FIVE_MINUTES_MS = 300_000;

function signed({ at = Date.now(), body = BODY } = {}): Record<string, string> {
  const date = new Date(at);
  const signatures = [OLDER_SECRET, SECRET].map((secret) => new Webhook(secret).sign('msg_1', date, body));
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'tributary-snippets-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Verify = (headers: Record<string, string>, body: string) => Promise<unknown>;

async function javaScript(): Promise<Verify> {
  const path = join(folder, 'verify.mjs');
  writeFileSync(path, SNIPPETS.JavaScript);
  const { verifyWebhook } = (await import(/* @vite-ignore */ path)) as {
    verifyWebhook: (secret: string, headers: Record<string, string>, body: string) => unknown;
  };
  return (headers, body) => Promise.resolve().then(() => verifyWebhook(SECRET, headers, body));
}

const PYTHON_MAIN = `
import sys
secret, headers, body = json.loads(sys.stdin.read())
print(json.dumps(verify_webhook(secret, headers, body.encode())))
`;

/** Prints the event, or fails with the snippet's error. */
function byProgram(command: string, file: string, text: string): Verify {
  writeFileSync(join(folder, file), text);
  return (headers, body) =>
    Promise.resolve().then((): unknown =>
      JSON.parse(
        execFileSync(command, [join(folder, file)], {
          input: JSON.stringify([SECRET, headers, body]),
          stdio: ['pipe', 'pipe', 'pipe'],
          encoding: 'utf8',
        }),
      ),
    );
}

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const RUBY_MAIN = `
secret, headers, body = JSON.parse($stdin.read)
puts JSON.generate(verify_webhook(secret, headers, body))
`;

const languages: [string, boolean, () => Promise<Verify>][] = [
  ['JavaScript', true, javaScript],
  [
    'Python',
    isInstalled('python3'),
    () => Promise.resolve(byProgram('python3', 'verify.py', SNIPPETS.Python + PYTHON_MAIN)),
  ],
  ['Ruby', isInstalled('ruby'), () => Promise.resolve(byProgram('ruby', 'verify.rb', SNIPPETS.Ruby + RUBY_MAIN))],
];

describe.each(languages)('the snippet in %s', (_, isHere, open) => {
  test.runIf(isHere)('gives the event of a genuine request, signed by any of two secrets', async () => {
    const verify = await open();
    expect(await verify(signed(), BODY)).toEqual(JSON.parse(BODY));
  });

  test.runIf(isHere)('refuses another body, another secret, an old or a malformed request', async () => {
    const verify = await open();
    await expect(verify(signed(), BODY.replace('1', '2'))).rejects.toThrow('The signature is wrong.');
    const headers = signed();
    const [older = ''] = (headers['webhook-signature'] ?? '').split(' ');
    await expect(verify({ ...headers, 'webhook-signature': older }, BODY)).rejects.toThrow('The signature is wrong.');
    await expect(verify({ ...headers, 'webhook-signature': 'v1,x' }, BODY)).rejects.toThrow('The signature is wrong.');
    const old = signed({ at: Date.now() - FIVE_MINUTES_MS - 2_000 });
    await expect(verify(old, BODY)).rejects.toThrow('The request is too old.');
    await expect(verify({ ...headers, 'webhook-timestamp': 'soon' }, BODY)).rejects.toThrow();
  });
});
