import * as z from 'zod';
import { cut } from '../../../shared/lib/cut.ts';
import type { ImportedPackage } from '../compiler-messages.ts';
import { BuildFailure, InstallRefused, RegistryUnavailable } from '../failure.ts';

/** The members of npm's errors that identify the cause. */
const NpmError = z.object({
  code: z.string().optional(),
  message: z.string(),
  name: z.string().optional(),
  uri: z.string().optional(),
  pkgid: z.string().optional(),
  wanted: z.string().optional(),
  /** Set only on errors of the HTTP client, when the registry gave no readable response. */
  type: z.string().optional(),
  /** Set on errors of the file system and of the network. */
  syscall: z.string().optional(),
});
type NpmError = z.infer<typeof NpmError>;

/** Peer dependencies conflict. */
export const isConflict = (error: unknown): boolean => NpmError.safeParse(error).data?.code === 'ERESOLVE';

/** Failures of this machine. All others come from untrusted packages. */
const MACHINE = /^(?:EACCES|EDQUOT|EIO|EMFILE|ENFILE|ENOMEM|ENOSPC|EPERM|EROFS)$/;

/** The error for the component's author, or the unchanged error when the builder itself failed. */
export function explained(error: unknown, imports: readonly ImportedPackage[], registry: string): unknown {
  const { data } = NpmError.safeParse(error);
  if (!data || error instanceof BuildFailure || MACHINE.test(data.code ?? '')) return error;
  const all = `the packages ${imports.map((item) => `"${item.name}" (${item.position})`).join(', ')}`;
  // On other errors `name` is the name of the error class.
  const isAboutVersions = data.code === 'ETARGET' || data.code === 'ENOVERSIONS';
  const id = (isAboutVersions && data.name) || requestOf(data, registry);
  const name = /^((?:@[^/@]+\/)?[^/@]+)/.exec(id)?.[1] ?? data.message;
  const by = imports.find((item) => item.name === name);
  const importer = by
    ? `, imported by ${by.position}`
    : `, needed by a package that ${imports[0]?.position ?? 'the component'} imports`;
  switch (data.code) {
    case 'E404':
      return new BuildFailure(`the package "${name}" was not found on the npm registry${importer}`);
    case 'ETARGET':
    case 'ENOVERSIONS':
      // The registry's document of a package has no name, so it cannot be the package's.
      if (!data.name) return new InstallRefused(`${all} cannot be installed: ${INVALID}`);
      return new BuildFailure(
        `the package "${name}" has no version "${data.wanted ?? by?.range ?? 'latest'}"${importer}`,
      );
    case 'E401':
    case 'E403':
    case 'EALLOWGIT':
    case 'EALLOWREMOTE':
    case 'EALLOWFILE':
    case 'EALLOWDIRECTORY':
    case 'EBADPLATFORM':
    case 'EINVALIDPACKAGENAME':
    case 'EINVALIDTAGNAME':
    case 'ERR_ADDRESS_REFUSED':
    case 'EINTEGRITY':
      return new BuildFailure(`${all} cannot be installed: ${withoutCredentials(data.message)}`);
    default:
      if (data.type === undefined && !OVERLOADED.test(data.code ?? ''))
        return new InstallRefused(`${all} cannot be installed: ${defectOf(data)}`);
      return new RegistryUnavailable(
        `The package "${name}"${importer}, cannot be fetched: the npm registry ${withoutCredentials(registry)} is unavailable (${causeOf(data)}).`,
      );
  }
}

/** Statuses of an overloaded or failing registry, independent of the package. */
const OVERLOADED = /^E(?:408|429|5\d\d)$/;

/** The requested package, package with range, or archive path, as far as the error contains it. */
function requestOf({ pkgid, uri, message }: NpmError, registry: string): string {
  const address = uri ?? /https?:\/\/\S+/.exec(message)?.[0] ?? '';
  return pkgid ?? decodeURIComponent(address.slice(registry.length));
}

/** The reason without the request, which the message names already. */
function causeOf({ message }: NpmError): string {
  const reason = /reason: ([^\n]+)/.exec(message)?.[1] ?? message;
  return cut(withoutCredentials(reason.trim()), LONGEST_CAUSE);
}

const INVALID = 'the manifest or the archive of a package is invalid';

/**
 * The defect of a package. Messages of the file system name directories of this machine, and messages without a code
 * mean nothing to authors.
 */
function defectOf({ code, syscall, message }: NpmError): string {
  if (code === undefined) return INVALID;
  if (syscall !== undefined) return `the files of a package cannot be stored (${code})`;
  return cut(withoutCredentials(message), LONGEST_CAUSE);
}

const LONGEST_CAUSE = 300;

const withoutCredentials = (text: string): string => text.replace(/\/\/[^/\s@]*@/g, '//');
