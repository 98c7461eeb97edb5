/** Emits each event of a calendar some time before it begins. */
export default {
  key: 'calendar',
  name: 'Calendar event is about to begin',
  version: '1.0.0',
  description: 'Emits each event of an iCalendar feed some minutes before it begins. Does not repeat recurring events.',
  dedupe: 'unique',
  props: {
    timer: { type: '$.interface.timer', default: { cron: '* * * * *' } },
    url: {
      type: 'string',
      label: 'Calendar URL',
      description: 'Private address of an .ics feed',
      secret: true,
    },
    minutes: { type: 'integer', label: 'Minutes before', min: 0, default: 10 },
  },
  async run({ timestamp }) {
    const response = await fetch(this.url);
    if (!response.ok) throw new Error(`The calendar answered ${response.status}`);
    const now = timestamp * 1000;
    for (const { uid, summary, location, begin } of this.eventsIn(await response.text())) {
      if (begin < now || begin > now + this.minutes * 60_000) continue;
      this.$emit(
        { uid, summary, location, begins: new Date(begin).toISOString() },
        { id: `${uid} ${begin}`, summary, ts: begin },
      );
    }
  },
  methods: {
    eventsIn(text) {
      // A long line goes on in the next one, after a space.
      const unfolded = text.replace(/\r?\n[ \t]/g, '');
      return [...unfolded.matchAll(/^BEGIN:VEVENT$([\s\S]*?)^END:VEVENT$/gm)].map(([, block]) => {
        const member = (name) => new RegExp(`^${name}((?:;[^:\\r\\n]*)?):(.*)$`, 'm').exec(block) ?? [];
        const value = (name) => (member(name)[2] ?? '').trim().replace(/\\n/gi, '\n').replace(/\\(.)/g, '$1');
        const [, parameters = '', start = ''] = member('DTSTART');
        return {
          uid: value('UID'),
          summary: value('SUMMARY'),
          location: value('LOCATION'),
          begin: this.timeOf(start.trim(), /;TZID=([^;]+)/.exec(parameters)?.[1]),
        };
      });
    },
    /** Epoch ms of `20261122T200000Z`, of a local time in a zone, or of a day in UTC. */
    timeOf(text, timeZone) {
      const [, year, month, day, hour = 0, minute = 0, second = 0] =
        /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?/.exec(text) ?? [];
      const utc = Date.UTC(year, month - 1, day, hour, minute, second);
      if (timeZone === undefined || text.endsWith('Z')) return utc;
      const local = new Date(utc).toLocaleString('sv', { timeZone });
      return utc - (Date.parse(`${local.replace(' ', 'T')}Z`) - utc);
    },
  },
};
