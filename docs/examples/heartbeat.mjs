/** Notices that a job stopped: the job sends a request to the endpoint, and the timer looks for the last one. */
export default {
  key: 'heartbeat',
  name: 'Missing heartbeat',
  version: '1.0.0',
  description: 'Emits when no request came for too long, and when they come again.',
  props: {
    db: '$.service.db',
    http: '$.interface.http',
    timer: { type: '$.interface.timer', default: { cron: '* * * * *' } },
    minutes: {
      type: 'integer',
      label: 'Minutes',
      description: 'Longest time without a request',
      min: 1,
      default: 60,
    },
  },
  hooks: {
    activate() {
      this.db.set('lastSeen', Date.now());
    },
  },
  run(event) {
    if (event.method) this.seen();
    else this.look(event.timestamp * 1000);
  },
  methods: {
    seen() {
      if (this.db.get('isMissing')) this.$emit({ state: 'back' }, { summary: 'The heartbeat is back' });
      this.db.set('isMissing', false);
      this.db.set('lastSeen', Date.now());
    },
    look(now) {
      const lastSeen = this.db.get('lastSeen');
      if (this.db.get('isMissing') || now - lastSeen < this.minutes * 60_000) return;
      this.db.set('isMissing', true);
      this.$emit(
        { state: 'missing', lastSeen: new Date(lastSeen).toISOString() },
        { summary: `No heartbeat for ${this.minutes} min` },
      );
    },
  },
};
