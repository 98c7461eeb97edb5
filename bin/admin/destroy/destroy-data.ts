import { refusedFailure } from '../../tributary/failures.ts';
import { type ObjectVersion, removeVersions, type VersionedBucket, versionPages } from '../object-versions.ts';
import type { Report } from '../operator-command.ts';
import { reasonOf } from '../reason.ts';

interface DestroyOptions extends VersionedBucket {
  /** A sentence about the data that stays. */
  rest: string;
  /** Asks for the name. Throws unless it is given. */
  confirm(plan: string): Promise<void>;
}

/** Deletes all versions and delete markers of a bucket. A second call goes on where the first one ended. */
export async function destroyData(options: DestroyOptions): Promise<Report> {
  const { bucket, rest, confirm, interrupted } = options;
  const found = await count(options);
  await confirm(
    [
      `The bucket ${bucket} has ${textOf(found)}: the code of components, large events and payloads that wait.`,
      'All of it goes for good: admin restore cannot fetch it back. Deliveries and runs that need it fail.',
      rest,
    ].join('\n'),
  );
  let removed = 0;
  try {
    // The service may write meanwhile.
    for (let before = -1; removed > before;) {
      before = removed;
      for await (const page of versionPages(options)) {
        const versions = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].flatMap(entryOf);
        await removeVersions(options, versions);
        removed += versions.length;
      }
    }
  } catch (error) {
    const reason = interrupted.aborted ? 'It was interrupted.' : reasonOf(error);
    throw refusedFailure(`The bucket ${bucket} is not empty yet: ${reason} Run the same command again: it goes on.`);
  }
  return {
    json: { bucket, removed_versions: removed },
    text: `The bucket ${bucket} is empty: ${removed} versions and delete markers are deleted. ${rest}`,
  };
}

interface Contents {
  versions: number;
  markers: number;
  bytes: number;
}

async function count(options: DestroyOptions): Promise<Contents> {
  const found = { versions: 0, markers: 0, bytes: 0 };
  for await (const { Versions = [], DeleteMarkers = [] } of versionPages(options)) {
    found.versions += Versions.length;
    found.markers += DeleteMarkers.length;
    found.bytes += Versions.reduce((sum, { Size = 0 }) => sum + Size, 0);
  }
  return found;
}

const textOf = ({ versions, markers, bytes }: Contents): string =>
  `${versions} versions of objects (${(bytes / 1e6).toFixed(1)} MB) and ${markers} delete markers`;

const entryOf = ({ Key, VersionId }: { Key?: string | undefined; VersionId?: string | undefined }): ObjectVersion[] =>
  Key === undefined || VersionId === undefined ? [] : [{ Key, VersionId }];
