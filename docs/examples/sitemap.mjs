import { XMLParser } from 'fast-xml-parser';

/** Emits each new or changed page of a sitemap. */
export default {
  key: 'sitemap',
  name: 'New or changed page in a sitemap',
  version: '1.0.0',
  description: 'Emits each page of a sitemap whose lastmod is later than that of all pages before.',
  props: {
    db: '$.service.db',
    timer: { type: '$.interface.timer', default: { intervalSeconds: 3600 } },
    url: { type: 'string', label: 'Sitemap URL', description: 'Such as https://example.com/sitemap.xml' },
  },
  async run() {
    const response = await fetch(this.url);
    if (!response.ok) throw new Error(`${this.url} answered ${response.status}`);
    const pages = this.pagesIn(await response.text());
    // A sitemap may have 50,000 pages, too many to remember: remember the latest time and the pages of that time.
    const { latest = '', seen = [] } = this.db.get('state') ?? {};
    const isFirst = latest === '';
    const fresh = pages.filter(({ loc, lastmod }) => lastmod > latest || (lastmod === latest && !seen.includes(loc)));
    if (!isFirst) {
      for (const { loc, lastmod } of fresh)
        this.$emit({ url: loc, lastmod }, { summary: loc, ts: Date.parse(lastmod) });
    }
    const newest = fresh.reduce((most, { lastmod }) => (lastmod > most ? lastmod : most), latest);
    const atNewest = pages.filter(({ lastmod }) => lastmod === newest).map(({ loc }) => loc);
    this.db.set('state', { latest: newest, seen: atNewest.slice(-200) });
  },
  methods: {
    /** Pages with a time, which compares as text in one form. */
    pagesIn(xml) {
      const { urlset } = new XMLParser({ parseTagValue: false }).parse(xml);
      if (urlset === undefined) throw new Error(`${this.url} is no sitemap of pages`);
      return [urlset.url ?? []]
        .flat()
        .filter(({ lastmod }) => !Number.isNaN(Date.parse(lastmod)))
        .map(({ loc, lastmod }) => ({ loc, lastmod: new Date(lastmod).toISOString() }));
    },
  },
};
