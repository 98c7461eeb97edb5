import { createHash } from 'node:crypto';

/** Emits each new row of a CSV file, such as a published sheet. */
export default {
  key: 'csv-rows',
  name: 'New row of a CSV file',
  version: '1.0.0',
  description: 'Emits each row that was added to a CSV file with a line of headings.',
  dedupe: 'unique',
  props: {
    timer: { type: '$.interface.timer', default: { intervalSeconds: 300 } },
    url: { type: 'string', label: 'URL' },
    separator: { type: 'string', label: 'Separator', options: [',', ';', '\t'], default: ',' },
    idColumn: {
      type: 'string',
      label: 'Column of the id',
      description: 'Leave empty to compare whole rows',
      optional: true,
    },
  },
  async run() {
    const response = await fetch(this.url);
    if (!response.ok) throw new Error(`${this.url} answered ${response.status}`);
    const [headings = [], ...rows] = this.rowsIn((await response.text()).replace(/^\uFEFF/, ''));
    // Deduplication remembers 100 ids, so only the last 100 rows can be told apart from older ones.
    for (const cells of rows.slice(-100)) {
      const row = Object.fromEntries(headings.map((heading, at) => [heading, cells[at] ?? '']));
      const id = this.idColumn ? row[this.idColumn] : createHash('sha256').update(cells.join('\0')).digest('hex');
      this.$emit(row, { id, summary: cells.join(', ').slice(0, 100) });
    }
  },
  methods: {
    /** RFC 4180: a quoted cell may contain separators, line breaks and doubled quotes. */
    rowsIn(text) {
      const separator = this.separator === '\t' ? '\\t' : this.separator;
      const cell = new RegExp(`("(?:[^"]|"")*"|[^${separator}\\r\\n]*)(${separator}|\\r?\\n|$)`, 'gy');
      const rows = [[]];
      for (const [, value, end] of text.matchAll(cell)) {
        rows.at(-1).push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
        if (end === '') break;
        if (end !== this.separator) rows.push([]);
      }
      return rows.filter((cells) => cells.some((value) => value !== ''));
    },
  },
};
