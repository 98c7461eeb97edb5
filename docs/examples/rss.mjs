import { XMLParser } from 'fast-xml-parser';

/** Emits each new item of an RSS or Atom feed, whole. */
export default {
  key: 'rss',
  name: 'New item in a feed',
  version: '1.0.0',
  description: 'Emits each new item of an RSS or Atom feed.',
  dedupe: 'unique',
  props: {
    timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } },
    url: { type: 'string', label: 'Feed URL' },
  },
  async run() {
    const response = await fetch(this.url);
    if (!response.ok) throw new Error(`${this.url} answered ${response.status}`);
    // Deduplication remembers 100 ids.
    for (const item of this.itemsIn(await response.text()).slice(0, 100)) {
      const link = this.linkOf(item);
      const ts = Date.parse(item.pubDate ?? item.published ?? item.updated ?? item['dc:date']);
      this.$emit(
        { ...item, link },
        {
          id: this.textOf(item.guid ?? item.id) || link,
          summary: this.textOf(item.title) || link,
          ts: Number.isNaN(ts) ? Date.now() : ts,
        },
      );
    }
  },
  methods: {
    itemsIn(xml) {
      const parser = new XMLParser({
        ignoreAttributes: false,
        attributeNamePrefix: '',
        parseTagValue: false,
      });
      const { rss, feed, 'rdf:RDF': rdf } = parser.parse(xml);
      const items = rss?.channel?.item ?? feed?.entry ?? rdf?.item;
      if (items === undefined && !rss && !feed && !rdf) throw new Error(`${this.url} is no RSS or Atom feed`);
      return [items ?? []].flat();
    },
    /** RSS has the address as text, Atom as an attribute of one of several links. */
    linkOf({ link = '' }) {
      const links = [link].flat();
      const main = links.find(({ rel = 'alternate' }) => rel === 'alternate') ?? links[0];
      return main?.href ?? this.textOf(main);
    },
    textOf: (node) => String(node?.['#text'] ?? node ?? ''),
  },
};
