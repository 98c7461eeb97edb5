/** Emits each new release of a GitHub repository. */
export default {
  key: 'github-releases',
  name: 'New GitHub release',
  version: '1.0.0',
  description: 'Emits each new release of a repository.',
  dedupe: 'unique',
  props: {
    db: '$.service.db',
    timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } },
    repository: { type: 'string', label: 'Repository', description: 'Such as nodejs/node' },
    prereleases: { type: 'boolean', label: 'With pre-releases', default: false },
    token: {
      type: 'string',
      label: 'Token',
      description: 'Needed for private repositories, and for more than 60 requests an hour',
      secret: true,
      optional: true,
    },
    api: {
      type: 'string',
      label: 'API',
      description: 'Of your own GitHub server',
      default: 'https://api.github.com',
    },
  },
  async run() {
    const etag = this.db.get('etag');
    const response = await fetch(`${this.api}/repos/${this.repository}/releases?per_page=50`, {
      headers: {
        accept: 'application/vnd.github+json',
        'user-agent': 'tributary',
        // An unchanged answer does not count towards GitHub's rate limit.
        ...(etag ? { 'if-none-match': etag } : {}),
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
      },
    });
    if (response.status === 304) return;
    if (!response.ok) throw new Error(`GitHub answered ${response.status}: ${(await response.json()).message}`);
    const releases = await response.json();
    for (const release of releases.filter(({ draft, prerelease }) => !draft && (this.prereleases || !prerelease))) {
      this.$emit(release, {
        id: release.id,
        summary: `${this.repository} ${release.tag_name}`,
        ts: Date.parse(release.published_at),
      });
    }
    this.db.set('etag', response.headers.get('etag'));
  },
};
