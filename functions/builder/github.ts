/** Where GitHub keeps the files that its pages show. `HEAD` is a ref there too: the default branch. */
const RAW = 'https://raw.githubusercontent.com';

const hosts = new Set(['github.com', 'www.github.com']);

interface Form {
  /** Of the address's path; its groups are what `path` is made from. */
  pattern: RegExp;
  path: (owner: string, repository: string, rest: string) => string;
}

/** Every way to write a file of a repository; the first that fits counts. A ref may itself contain slashes: they pass through. */
const forms: readonly Form[] = [
  {
    pattern: /^\/([^/]+)\/([^/]+)\/(?:blob|raw|blame|edit|tree)\/(.+)$/,
    path: (owner, repository, refAndFile) => `/${owner}/${repository}/${refAndFile}`,
  },
  {
    // As in `github.com/Owner/Repository/components/x/y.js`, from before addresses had to name a ref.
    pattern: /^\/([^/]+)\/([^/]+)\/(.+\.[A-Za-z]+)$/,
    path: (owner, repository, file) => `/${owner}/${repository}/HEAD/${file}`,
  },
];

/** The address that answers with the file itself; every address that is no page of GitHub's stays as it is. */
export function fetchableAddress(address: string): string {
  const url = new URL(address);
  if (!hosts.has(url.hostname)) return address;
  for (const { pattern, path } of forms) {
    const [, owner, repository, rest] = pattern.exec(url.pathname) ?? [];
    if (owner && repository && rest) return RAW + path(owner, repository.replace(/\.git$/, ''), rest);
  }
  return address;
}

/** How a file is called in messages: its path in the repository, or below the host. */
export function displayName(address: string): string {
  const { origin, pathname } = new URL(address);
  const path =
    origin === RAW ? pathname.replace(/^\/[^/]+\/[^/]+\/(?:refs\/(?:heads|tags)\/)?[^/]+\//, '/') : pathname;
  return decoded(path.slice(1));
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
