/** Answers each request with its event, and with the value of the question in its query. */
export const MIRROR = `import ms from 'ms';

const addresses = ['127.0.0.1:9001', 'localhost:9001', '169.254.100.1:9001'];

const answers = {
  /** Start of this machine by its own clocks, epoch ms: two machines differ. */
  machine: () => Date.now() - Number(process.hrtime.bigint() / 1_000_000n),
  /** The runtime API answers every path, so an unknown path takes no invocation from the runner. */
  'runtime-api': async () => {
    const answered = await Promise.all(addresses.map((address) =>
      fetch('http://' + address + '/2018-06-01/runtime/doctor', { signal: AbortSignal.timeout(2000) })
        .then(() => [address], () => [])));
    return { reached: answered.flat(), variables: Object.keys(process.env).filter((name) => /^(AWS|LAMBDA|_)/.test(name)) };
  },
  packages: () => ms('2 days'),
  processor: () => process.arch,
  address: async () => (await (await fetch('https://checkip.amazonaws.com')).text()).trim(),
};

export default {
  name: 'Tributary doctor', version: '0.0.1',
  props: { http: { type: '$.interface.http', customResponse: true } },
  async run(event) {
    if (event.wait !== undefined) {
      this.$emit('first');
      await new Promise((resolve) => setTimeout(resolve, event.wait));
      this.$emit('last');
      return;
    }
    const answer = await answers[event.query?.ask]?.();
    const { path, body, headers } = event;
    this.$emit({ path, length: typeof event.text === 'string' ? event.text.length : 0, signed: headers?.['webhook-signature'] !== undefined, body });
    this.http.respond({ status: 200, headers: { 'content-type': 'application/json' }, body: { path, body, headers, isBase64Encoded: event.isBase64Encoded, answer } });
  },
};
`;

/** Emits at every tick. */
export const TICKER = `export default {
  name: 'Tributary doctor: timer', version: '0.0.1',
  props: { timer: { type: '$.interface.timer', default: { intervalSeconds: 60 } } },
  run() { this.$emit('tick'); },
};
`;
