/** Emits each Hacker News story once it has enough points. */
export default {
  key: 'hacker-news',
  name: 'New story on Hacker News',
  version: '1.0.0',
  description: 'Emits each story about a topic once it has enough points.',
  dedupe: 'unique',
  props: {
    timer: { type: '$.interface.timer', default: { intervalSeconds: 600 } },
    topic: {
      type: 'string',
      label: 'Topic',
      description: 'Words of the title; leave empty for all stories',
      optional: true,
    },
    points: { type: 'integer', label: 'Points', min: 1, default: 100 },
    api: { type: 'string', label: 'API', default: 'https://hn.algolia.com/api/v1' },
  },
  async run() {
    const query = new URLSearchParams({
      tags: 'story',
      query: this.topic ?? '',
      numericFilters: `points>=${this.points}`,
      hitsPerPage: '50',
    });
    const response = await fetch(`${this.api}/search_by_date?${query}`);
    if (!response.ok) throw new Error(`Hacker News answered ${response.status}`);
    const { hits } = await response.json();
    for (const { objectID, title, url, author, points, created_at_i } of hits) {
      const discussion = `https://news.ycombinator.com/item?id=${objectID}`;
      this.$emit(
        { id: objectID, title, url: url ?? discussion, discussion, author, points },
        { id: objectID, summary: title, ts: created_at_i * 1000 },
      );
    }
  },
};
