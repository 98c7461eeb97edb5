import { connect as connectTcp } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { REACHED } from './attack.ts';
import type { WallAttack } from './wall.ts';

/** A connection that opens, or that nothing refuses for a while. */
const connects = (options: string) =>
  `new Promise((ok, no) => net.connect(${options}).on('connect', () => ok('reached')).on('error', no).setTimeout(500, () => ok('reached')))`;
/** A response of the gateway to this request. In the other levels there is none. */
const asks = (request: string) =>
  `new Promise((ok, no) => { const socket = net.connect('/gateway/gateway').on('error', no); socket.on('data', (data) => { const { error } = JSON.parse(data); socket.destroy(); ok(error ? error.code ?? error.message : 'reached'); }); socket.write(JSON.stringify({ id: 1, ...${request} }) + '\\n'); })`;

/** Time in which a packet arrives on this machine. */
const ARRIVAL_MS = 3_000;

const onlyInSandbox = (sandbox: string) => ({ sandbox, user: REACHED, process: REACHED });
const ofGateway = (sandbox: string) => ({ sandbox, user: 'ENOENT', process: 'ENOENT' });

const accepts = (port: number, host: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connectTcp(port, host, () => {
      socket.destroy();
      resolve(REACHED);
    }).on('error', () => resolve('unreachable'));
  });

export const wallNetwork: readonly WallAttack[] = [
  {
    attempt: 'connect to a server of the machine',
    code: connects(`target.serverPort, '127.0.0.1'`),
    outcome: onlyInSandbox('ECONNREFUSED'),
  },
  {
    attempt: "connect to the service's own port",
    code: connects(`target.ownPort, '127.0.0.1'`),
    outcome: onlyInSandbox('ECONNREFUSED'),
  },
  {
    attempt: "connect to it by the machine's own address",
    code: connects('target.ownPort, target.machine'),
    outcome: onlyInSandbox('ENETUNREACH'),
    dependsOnMachine: true,
  },
  {
    attempt: 'connect to the metadata of the machine',
    code: connects(`80, '169.254.169.254'`),
    outcome: onlyInSandbox('ENETUNREACH'),
    dependsOnMachine: true,
  },
  {
    attempt: "connect to the operator's socket",
    code: connects('target.socket'),
    outcome: { sandbox: 'ENOENT', user: 'EACCES', process: REACHED },
  },
  {
    attempt: 'connect to an abstract socket of the machine',
    code: connects('{ path: target.abstract }'),
    outcome: onlyInSandbox('ECONNREFUSED'),
  },
  {
    attempt: 'send UDP to the machine',
    code: `new Promise((ok, no) => { const socket = require('dgram').createSocket('udp4').on('error', no); socket.send('x', target.udpPort, '127.0.0.1', (error) => (error ? no(error) : ok('lost'))); })`,
    outside: async (outcome, { reached }) => {
      const isThere = () => reached.includes('udp');
      for (let waited = 0; !isThere() && waited < ARRIVAL_MS; waited += 50) await setTimeout(50);
      return isThere() ? REACHED : outcome;
    },
    outcome: onlyInSandbox('lost'),
  },
  {
    attempt: 'serve the network',
    code: `new Promise((ok, no) => net.createServer().on('error', no).listen(target.freePort, '0.0.0.0', () => ok('listens')))`,
    outside: (outcome, { target }) =>
      outcome === 'listens' ? accepts(target.freePort, target.machine) : Promise.resolve(outcome),
    outcome: onlyInSandbox('unreachable'),
  },
  {
    attempt: 'find interfaces of the machine',
    code: `(Object.values(os.networkInterfaces()).flat().some(({ internal }) => !internal) ? 'reached' : 'none')`,
    outcome: onlyInSandbox('none'),
    dependsOnMachine: true,
  },
  {
    attempt: 'ask the gateway for metadata',
    code: asks(`{ connect: { host: '169.254.169.254', port: 80 } }`),
    outcome: ofGateway('ERR_ACCESS_DENIED'),
  },
  {
    attempt: "ask the gateway for the service's own port",
    code: asks(`{ connect: { host: '127.0.0.1', port: target.ownPort } }`),
    outcome: ofGateway('ERR_ACCESS_DENIED'),
  },
  {
    attempt: 'ask the gateway for a private address',
    code: asks(`{ connect: { host: '127.0.0.1', port: target.serverPort } }`),
    outcome: ofGateway('ERR_ACCESS_DENIED'),
  },
  {
    attempt: 'ask the gateway for a socket of the machine',
    code: asks(`{ connect: { host: target.socket, port: 80 } }`),
    outcome: ofGateway('ENOTFOUND'),
  },
  {
    attempt: 'fill the memory of the gateway by requests whose responses it does not read',
    code: `new Promise((ok, no) => {
      const socket = net.connect('/gateway/gateway').on('error', no).pause();
      const requests = (JSON.stringify({ id: 1, lookup: { host: '127.0.0.1' } }) + '\\n').repeat(1000);
      let left = 300;
      const write = () => {
        const late = setTimeout(() => { socket.destroy(); ok('waits'); }, 1000);
        socket.write(requests, () => { clearTimeout(late); if ((left -= 1) > 0) write(); else ok('reached'); });
      };
      write();
    })`,
    outcome: ofGateway('waits'),
  },
  {
    attempt: 'put a socket of its own beside the gateway',
    code: `new Promise((ok, no) => net.createServer().on('error', no).listen('/gateway/own', () => ok('reached')))`,
    outcome: { sandbox: 'EROFS', user: 'EACCES', process: 'EACCES' },
  },
];
