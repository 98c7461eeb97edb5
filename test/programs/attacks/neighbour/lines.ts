import { setTimeout as passed } from 'node:timers/promises';
import { type NeighbourAttack } from './attack.ts';

/** A line of 11 MB that is valid JSON of small parts: it takes longest to parse. */
const GIANT_LINE = `
  const line = Buffer.from('{"k":"options","job":"x","options":[' + '{},'.repeat(3_600_000) + '{}],"context":1}\\n');
  for (let lines = 0; lines < 5; lines += 1)
    for (let sent = 0; sent < line.length;) sent += fs.writeSync(4, line, sent);
`;
const ERRORS = `for (let n = 0; n < 100; n += 1) this.$emit(undefined);`;
/** Escapes of several forms: redaction looks into each. */
const TEXT = String.raw`%41\u0041\"x`.repeat(36_000);

/** Results of children that are expensive to read. */
export const lines: readonly NeighbourAttack[] = [
  {
    name: 'giant lines to the host',
    async attack(attacker, signal) {
      const ids = await attacker.sources(3, GIANT_LINE, { imports: `import fs from 'node:fs';` });
      let runs = 0;
      while (!signal.aborted) {
        const outcomes = await Promise.all(ids.map((id) => attacker.run(id)));
        runs += outcomes.filter(({ status }) => status === 200).length;
        await passed(1_000);
      }
      return runs;
    },
  },
  {
    name: '2.4 million options',
    async attack(attacker, signal) {
      const component = await attacker.create('/components', {
        component_code: `export default { name: 'Options', version: '0.0.1', props: { many: { type: 'integer', options: () => Array.from({ length: 2_400_000 }, (_, n) => n) } }, run() {} };`,
      });
      let calls = 0;
      const body = { id: component, prop_name: 'many', configured_props: {} };
      while (!signal.aborted) {
        await attacker.send('POST', '/components/configure', body);
        calls += 1;
      }
      return calls;
    },
  },
  {
    name: '100 errors about an event of 500 KB',
    async attack(attacker, signal) {
      const ids = await attacker.sources(2, ERRORS, {
        props: `{ token: { type: 'string', secret: true } }`,
        values: { token: 'a-secret-value-of-this-source' },
      });
      let runs = 0;
      while (!signal.aborted) {
        const outcomes = await Promise.all(ids.map((id) => attacker.run(id, { text: TEXT })));
        runs += outcomes.filter(({ status }) => status === 200).length;
        await passed(1_000);
      }
      return runs;
    },
  },
];
