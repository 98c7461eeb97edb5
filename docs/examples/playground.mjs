// A playground for the tour: serves the components of this folder, and receives webhooks at /hook.
// It checks each signature as the Standard Webhooks specification says (https://www.standardwebhooks.com)
// once it knows the secret: curl -d "$SECRET" http://127.0.0.1:4000/secret
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const folder = new URL('.', import.meta.url);
const port = Number(process.env.PLAYGROUND_PORT ?? 4000);
const received = [];
let secret;

function isGenuine(headers, body) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(signed).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature.replace('v1,', ''), 'base64'))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

async function text(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://playground');
  if (request.method === 'POST' && pathname === '/secret') {
    secret = (await text(request)).trim();
    response.end('I will check signatures with it.\n');
  } else if (request.method === 'POST' && pathname === '/hook') {
    const body = await text(request);
    received.push({
      genuine: secret !== undefined && isGenuine(request.headers, body),
      event: JSON.parse(body),
    });
    response.end();
  } else if (pathname === '/received') {
    response.end(received.map((delivery) => `${JSON.stringify(delivery)}\n`).join(''));
  } else if (/^\/[a-z-]+\.mjs$/.test(pathname)) {
    response.end(await readFile(new URL(`.${pathname}`, folder)));
  } else {
    response.writeHead(404).end();
  }
});
server.listen(port, '127.0.0.1', () => console.log(`Playground at http://127.0.0.1:${port}`));
