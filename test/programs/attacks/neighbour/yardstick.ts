import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that does about a millisecond of work for each request. Its latency is that of the machine. */
const DOCUMENT = JSON.stringify(
  Array.from({ length: 400 }, (_, n) => ({ id: n, name: `name ${n}`, tags: ['a', 'b'], at: n * 1.5 })),
);

const server = createServer((_, response) => {
  response.end(String(JSON.stringify(JSON.parse(DOCUMENT)).length));
});
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
// It ends with the process that started it.
process.on('disconnect', () => process.exit());
