/** Emits a greeting for every request that reaches its endpoint. */
export default {
  key: 'greeting',
  name: 'Greeting',
  version: '1.0.0',
  description: 'Greets whoever sends a name.',
  props: {
    http: '$.interface.http',
    db: '$.service.db',
    salutation: { type: 'string', label: 'Salutation', default: 'Hello' },
  },
  run(event) {
    const count = (this.db.get('count') ?? 0) + 1;
    this.db.set('count', count);
    const name = event.body?.name ?? 'stranger';
    console.log(`greeting number ${count}`);
    this.$emit({ greeting: `${this.salutation}, ${name}!`, count }, { summary: `Greeted ${name}` });
  },
};
