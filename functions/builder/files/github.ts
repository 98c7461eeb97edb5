/** GitHub's host for raw files. The ref `HEAD` is the default branch. */
const RAW = 'https://raw.githubusercontent.com';

const hosts = new Set(['github.com', 'www.github.com']);

interface Form {
  /** Matches the URL's path; its groups are the arguments of `path`. */
  pattern: RegExp;
  path: (owner: string, repository: string, rest: string) => string;
}

/** URL forms of a file in a repository; the first match counts. A ref may contain slashes. */
const forms: readonly Form[] = [
  {
    pattern: /^\/([^/]+)\/([^/]+)\/(?:blob|raw|blame|edit|tree)\/(.+)$/,
    path: (owner, repository, refAndFile) => `/${owner}/${repository}/${refAndFile}`,
  },
  {
    // An old form without a ref: `github.com/Owner/Repository/components/x/y.js`.
    pattern: /^\/([^/]+)\/([^/]+)\/(.+\.[A-Za-z]+)$/,
    path: (owner, repository, file) => `/${owner}/${repository}/HEAD/${file}`,
  },
];

/** The raw URL of a GitHub page; other URLs unchanged. */
export function fetchableAddress(address: string): string {
  const url = new URL(address);
  if (!hosts.has(url.hostname)) return address;
  for (const { pattern, path } of forms) {
    const [, owner, repository, rest] = pattern.exec(url.pathname) ?? [];
    if (owner && repository && rest) return RAW + path(owner, repository.replace(/\.git$/, ''), rest);
  }
  return address;
}

/** Name of a file in messages: its path in the repository, or the URL's path. */
export function displayName(address: string): string {
  const { origin, pathname } = new URL(address);
  const path = origin === RAW ? pathname.replace(/^\/[^/]+\/[^/]+\/(?:refs\/(?:heads|tags)\/)?[^/]+\//, '/') : pathname;
  return decoded(path.slice(1));
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
