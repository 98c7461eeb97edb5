/** Component code for tests: an HTTP source that emits the bodies it gets. */
export const echoComponent = ({ name = 'Echo', key = 'echo', more = '' } = {}): string => `
export default {
  name: ${JSON.stringify(name)},
  key: ${JSON.stringify(key)},
  version: '0.0.1',
  type: 'source',
  props: { http: '$.interface.http', db: '$.service.db' },
  ${more}
  async run(event) {
    this.$emit(event.body ?? event);
  },
};
`;

/** A source that emits whatever `POST /sources/{id}/run` hands it: `{emits: [[event, meta], …]}`. */
export const emitter = ({ name = 'Emitter', key = 'emitter' } = {}): string => `
export default {
  name: ${JSON.stringify(name)},
  key: ${JSON.stringify(key)},
  version: '0.0.1',
  async run(event) {
    for (const [data, meta] of event.emits ?? []) this.$emit(data, meta);
    if (event.throws) throw Object.assign(new Error(event.throws), { code: event.code });
  },
};
`;

/** A component that can be published, without code of its own: no process runs it. */
export const KEYED_RELAY = `export default { name: 'Relay', key: 'relay', version: '0.0.1' };`;
