// A playground for the tour and the guides: serves the components of this folder, receives webhooks at /hook, and has
// orders at /orders. It checks each signature as the Standard Webhooks specification says
// (https://www.standardwebhooks.com) once it knows the secret: curl -d "$SECRET" http://127.0.0.1:4000/secret
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const folder = new URL('.', import.meta.url);
const port = Number(process.env.PLAYGROUND_PORT ?? 4000);
const received = [];
const orders = [];
let secret;
addOrder({ total: 30 });
addOrder({ total: 120 });

function isGenuine(headers, body) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(signed).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature.replace('v1,', ''), 'base64'))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

function addOrder({ total }) {
  const order = { id: orders.length + 1, total, at: new Date().toISOString() };
  orders.push(order);
  return order;
}

async function text(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

async function answer(request, response) {
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
  } else if (request.method === 'POST' && pathname === '/orders') {
    response.end(`${JSON.stringify(addOrder(JSON.parse(await text(request))))}\n`);
  } else if (pathname === '/orders') {
    response.end(JSON.stringify(orders));
  } else if (pathname === '/received') {
    response.end(received.map((delivery) => `${JSON.stringify(delivery)}\n`).join(''));
  } else if (/^\/[a-z-]+\.mjs$/.test(pathname)) {
    response.end(await readFile(new URL(`.${pathname}`, folder)));
  } else {
    response.writeHead(404).end();
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(400).end(`${error.message}\n`));
});
server.on('error', (error) => {
  const isTaken = error.code === 'EADDRINUSE';
  console.error(isTaken ? `The port ${port} is taken: set PLAYGROUND_PORT to another one.` : error.message);
  process.exitCode = 1;
});
server.listen(port, '127.0.0.1', () => console.log(`Playground at http://127.0.0.1:${port}`));
