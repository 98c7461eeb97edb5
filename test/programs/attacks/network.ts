import { type Attack, DENIED } from './attack.ts';

const get = (options: string) =>
  `new Promise((ok, no) => http.get(${options}, (r) => r.on('data', (d) => ok(String(d)))).on('error', no))`;
const connect = (options: string) =>
  `new Promise((ok, no) => net.connect(${options}).on('connect', () => ok('connected')).on('error', no))`;
const listen = (options: string) =>
  `new Promise((ok, no) => net.createServer().on('error', no).listen(${options}, () => ok('listening')))`;
const udp = (family: string, send: string) =>
  `new Promise((ok, no) => { const socket = require('dgram').createSocket('${family}').on('error', no); socket.send('x', ${send}, (error) => error ? no(error) : ok('sent')); })`;

/** Calls a handle of its own beside the classes of `net`, with a request as they make it if they make one. */
const bare = (expression: string) =>
  `new Promise((ok, no) => {
      const server = net.createServer().listen(0, '127.0.0.1', () => {
        const Handle = server._handle.constructor;
        const handle = new Handle(0);
        const attempt = (request) => {
          if (!server.listening) return -1;
          server.close();
          request.oncomplete = () => handle.close();
          try { ok(String(${expression})); } catch (error) { no(error); }
          return -1;
        };
        const probe = Object.defineProperty(new Handle(0), 'connect', { value: ({ constructor: Request }) => attempt(new Request()) });
        Object.assign(new net.Socket(), { _handle: probe }).on('error', () => attempt({})).connect({ host: '127.0.0.1', port: server.address().port });
      });
    })`;

/** In the sandbox there is no network besides the gateway, so the system refuses instead of the guards. */
const guarded = (sandbox: string, others: string = DENIED) => ({ sandbox, user: others, process: others });

/** Attempts to connect where a component must not, and to listen. */
export const network: readonly Attack[] = [
  {
    attempt: 'connect to the metadata of the machine',
    code: `fetch('http://169.254.169.254/latest/meta-data/').then((r) => r.text())`,
    outcome: DENIED,
  },
  {
    attempt: 'by an IPv4-mapped address',
    code: connect(`{ host: '::ffff:a9fe:a9fe', port: 80 }`),
    outcome: DENIED,
  },
  {
    attempt: 'by an IPv4-compatible address',
    code: connect(`{ host: '::a9fe:a9fe', port: 80 }`),
    outcome: DENIED,
  },
  {
    attempt: 'by a NAT64 address',
    code: connect(`{ host: '64:ff9b::a9fe:a9fe', port: 80 }`),
    outcome: DENIED,
  },
  { attempt: 'by its number', code: `fetch('http://2852039166/').then((r) => r.text())`, outcome: DENIED },
  {
    attempt: 'by a `lookup` of its own',
    code: connect(
      `{ host: 'example.com', port: 80, lookup: (name, options, done) => options.all ? done(null, [{ address: '169.254.169.254', family: 4 }]) : done(null, '169.254.169.254', 4) }`,
    ),
    outcome: DENIED,
  },
  {
    attempt: 'by a `lookup` whose response changes between check and use',
    code: connect(
      `{ host: 'example.com', port: 80, lookup: (name, options, done) => { let reads = 0; const found = { family: 4, get address() { return (reads += 1) > 1 ? '169.254.169.254' : '93.184.216.34'; } }; const text = { toString: () => '169.254.169.254' }; return options.all ? done(null, [found]) : done(null, text, 4); } }`,
    ),
    outcome: guarded('ENOTFOUND', 'EACCES'),
  },
  {
    attempt: 'by a host whose text changes',
    code: `(() => { let n = 0; const host = { toString: () => ((n += 1) > 1 ? '169.254.169.254' : '127.0.0.1') }; return ${connect(`{ host, port: target.closedPort ?? 1 }`)}; })()`,
    outcome: 'ECONNREFUSED',
  },
  {
    attempt: 'by options that change',
    code: `(() => { let n = 0; const options = { port: 1, get host() { return (n += 1) > 1 ? '169.254.169.254' : '127.0.0.1'; } }; return ${connect('options')}; })()`,
    outcome: DENIED,
  },
  {
    attempt: 'by TLS',
    code: `new Promise((ok, no) => require('tls').connect(443, '169.254.169.254', () => ok('connected')).on('error', no))`,
    outcome: DENIED,
  },
  {
    attempt: 'by HTTP/2',
    code: `new Promise((ok, no) => require('http2').connect('http://169.254.169.254').on('remoteSettings', () => ok('connected')).on('error', no))`,
    outcome: DENIED,
  },
  { attempt: 'by UDP', code: udp('udp4', `80, '169.254.169.254'`), outcome: 'EACCES' },
  {
    attempt: 'by a DNS resolver of its own',
    code: `(() => { const resolver = new (require('dns').promises.Resolver)(); resolver.setServers(['169.254.169.254']); return resolver.resolve4('example.invalid'); })()`,
    outcome: 'ERR_DNS_SET_SERVERS_FAILED',
  },
  {
    attempt: 'by the default DNS resolver',
    code: `(() => { require('dns').setServers(['169.254.169.254']); return 'set'; })()`,
    outcome: 'ERR_DNS_SET_SERVERS_FAILED',
  },
  {
    attempt: 'with patched builtins',
    code: `new Promise((ok) => {
      const saved = [[String.prototype, 'startsWith'], [RegExp.prototype, 'test'], [RegExp.prototype, 'exec'], [Array.prototype, 'includes'], [Array.prototype, Symbol.iterator], [globalThis, 'String'], [globalThis, 'Number'], [Reflect, 'apply'], [net, 'isIP'], [net.BlockList.prototype, 'check'], [Function.prototype, 'apply'], [Function.prototype, 'call'], [WeakSet.prototype, 'has']];
      for (let n = 0; n < saved.length; n += 1) saved[n][2] = saved[n][0][saved[n][1]];
      const server = net.createServer().listen(0, '127.0.0.1', () => {
        const handle = new server._handle.constructor(0);
        server.close();
        for (let n = 0; n < saved.length; n += 1) saved[n][0][saved[n][1]] = () => false;
        let result;
        Object.defineProperty(net, 'SocketAddress', { value: class { constructor() { return new net.BlockList(); } }, configurable: true });
        try { result = handle.connect({}, '169.254.169.254', 80); } catch (error) { result = error.message; }
        for (let n = 0; n < saved.length; n += 1) saved[n][0][saved[n][1]] = saved[n][2];
        ok(String(result));
      });
    })`,
    outcome: '-13',
  },
  {
    attempt:
      'connect to a private address with a patched `SocketAddress.isSocketAddress` (in the sandbox it stays there)',
    publicOnly: true,
    code: bare(
      `(() => { const { isSocketAddress } = net.SocketAddress; const other = new net.SocketAddress({ address: '93.184.216.34' }); net.SocketAddress.isSocketAddress = (value) => { for (const symbol of Object.getOwnPropertySymbols(value)) value[symbol] = other[symbol]; return true; }; try { return handle.connect(request, '127.0.0.1', target.serverPort); } finally { net.SocketAddress.isSocketAddress = isSocketAddress; } })()`,
    ),
    outcome: guarded('0', '-13'),
  },
  {
    attempt: 'with a polluted `Object.prototype`',
    code: `(() => { Object.defineProperty(Object.prototype, 'flowlabel', { get() { throw new Error('no'); }, configurable: true }); return ${connect(`80, '169.254.169.254'`)}.finally(() => { delete Object.prototype.flowlabel; }); })()`,
    outcome: DENIED,
  },
  {
    attempt: 'by a bare handle',
    code: bare(`handle.connect(request, '169.254.169.254', 80)`),
    outcome: '-13',
  },
  {
    attempt: "connect to the service's own port",
    code: get(`'http://127.0.0.1:' + target.ownPort`),
    outcome: DENIED,
  },
  { attempt: 'by `localhost`', code: get(`'http://localhost:' + target.ownPort`), outcome: DENIED },
  {
    attempt: 'by the unspecified address',
    code: get(`{ host: '0.0.0.0', port: target.ownPort }`),
    outcome: DENIED,
  },
  {
    attempt: "by the machine's own address",
    code: get(`{ host: target.machine, port: target.ownPort }`),
    outcome: DENIED,
  },
  { attempt: 'by another spelling', code: get(`'http://0x7f.1:' + target.ownPort`), outcome: DENIED },
  {
    attempt: 'by an IPv4-mapped address of the machine',
    code: connect(`{ host: '::ffff:7f00:1', port: target.ownPort }`),
    outcome: DENIED,
  },
  {
    attempt: 'by a port in text',
    code: get(`{ host: '127.0.0.1', port: String(target.ownPort) }`),
    outcome: DENIED,
  },
  {
    attempt: 'by a bare handle, with a port that is greater by 65,536 (in the sandbox it stays there)',
    code: bare(`handle.connect(request, '127.0.0.1', target.ownPort + 65536)`),
    outcome: guarded('0', '-13'),
  },
  {
    attempt: 'connect to the Lambda runtime API (on AWS, where there is no sandbox)',
    code: get(`'http://127.0.0.1:' + target.runtimePort`),
    outcome: { sandbox: 'an invocation', user: DENIED, process: DENIED },
  },
  {
    attempt: 'connect to a socket of the machine',
    code: connect('target.socket'),
    outcome: DENIED,
  },
  {
    attempt: 'by `socketPath` of an HTTP request',
    code: get('{ socketPath: target.socket }'),
    outcome: DENIED,
  },
  {
    attempt: 'by a climbing path',
    code: connect(`{ path: process.cwd() + '/../../../..' + target.socket }`),
    outcome: DENIED,
  },
  {
    attempt: 'with a port beside the path',
    code: connect('{ path: target.socket, port: null }'),
    outcome: DENIED,
  },
  {
    attempt: 'with a port that is no number',
    code: connect('{ path: target.socket, port: NaN }'),
    outcome: DENIED,
  },
  {
    attempt: 'by a path whose text changes',
    code: `(() => { let n = 0; const path = { toString: () => ((n += 1) > 1 ? target.socket : '/tmp/none') }; return ${connect('{ path }')}; })()`,
    outcome: DENIED,
  },
  { attempt: 'listen on every address', code: listen(`0, '0.0.0.0'`), outcome: 'EACCES' },
  { attempt: 'listen without an address', code: listen('0'), outcome: 'EACCES' },
  {
    attempt: 'by a bare handle, after a bind that failed',
    code: bare(`(handle.bind6('127.0.0.1', 0, 0), handle.listen(1))`),
    outcome: '-13',
  },
  {
    attempt: 'listen on a socket outside its directory',
    code: listen(`target.folder + '/x.sock'`),
    outcome: 'EACCES',
  },
  { attempt: 'listen on an abstract socket', code: listen(`{ path: '\\0abstract' }`), outcome: 'EACCES' },
  {
    attempt: 'receive UDP from the network',
    code: `new Promise((ok, no) => require('dgram').createSocket('udp4').on('error', no).bind(0x3039, '0.0.0.0', () => ok('bound')))`,
    outcome: 'EACCES',
  },
  {
    attempt: 'join a multicast group',
    code: `new Promise((ok, no) => { const socket = require('dgram').createSocket('udp4').on('error', no).bind(0, () => { try { socket.addMembership('224.0.0.251'); ok('joined'); } catch (error) { no(error); } }); })`,
    outcome: 'EACCES',
  },
  {
    attempt: 'connect to a private address',
    publicOnly: true,
    code: get(`'http://127.0.0.1:' + target.serverPort`),
    outcome: DENIED,
  },
  {
    attempt: 'by the name of one',
    publicOnly: true,
    code: get(`'http://localhost:' + target.serverPort`),
    outcome: DENIED,
  },
  {
    attempt: 'by IPv6',
    publicOnly: true,
    code: connect(`{ host: '::1', port: target.serverPort }`),
    outcome: DENIED,
  },
  {
    attempt: 'by an ISATAP id',
    publicOnly: true,
    code: connect(`{ host: '2600::5efe:7f00:1', port: target.serverPort }`),
    outcome: DENIED,
  },
  {
    attempt: 'by a 6to4 address',
    publicOnly: true,
    code: connect(`{ host: '2002:7f00:1::', port: target.serverPort }`),
    outcome: DENIED,
  },
  {
    attempt: 'by a unique local address',
    publicOnly: true,
    code: connect(`{ host: 'fd00::1', port: target.serverPort }`),
    outcome: DENIED,
  },
  {
    attempt: 'in `10.0.0.0/8`',
    publicOnly: true,
    code: connect(`{ host: '10.0.0.1', port: 80 }`),
    outcome: DENIED,
  },
  {
    attempt: 'by UDP (in the sandbox it stays there)',
    publicOnly: true,
    code: udp('udp4', `target.udpPort, '127.0.0.1'`),
    outcome: guarded('sent', 'EACCES'),
  },
];
