import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { expect } from 'vitest';

interface Entry {
  id: string;
  at: Date;
  /** Undefined for a delete marker. */
  data: string | undefined;
}

interface Listing {
  Prefix?: string;
  KeyMarker?: string;
  VersionIdMarker?: string;
}

interface Options {
  /** Entries of a page. */
  page: number;
  /** Versions with data may be removed. */
  mayLoseData?: boolean;
  request: <Input, Output>(handle: (input: Input) => Output) => (input: Input) => Output;
}

/** S3's versions with their rules, which the embedded one has not: it keeps no deleted objects. */
export function versionedBucket({ page, request, mayLoseData = false }: Options) {
  const mock = mockClient(S3Client);
  const keys = new Map<string, Entry[]>();
  let ids = 0;

  /** Adds an entry; the newest of a key is its first. */
  const add = (key: string, at: string, data: string | undefined) => {
    ids += 1;
    keys.set(key, [{ id: `v${ids}`, at: new Date(at), data }, ...(keys.get(key) ?? [])]);
  };

  mock.on(ListObjectVersionsCommand).callsFake(
    request(({ Prefix = '', KeyMarker = '', VersionIdMarker }: Listing) => {
      const all = [...keys]
        .filter(([key]) => key.startsWith(Prefix))
        .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        .flatMap(([key, entries]) => entries.map((entry, index) => ({ key, entry, isLatest: index === 0 })));
      const at = all.findIndex(({ key, entry }) => key === KeyMarker && entry.id === VersionIdMarker);
      const shown = all.slice(at + 1, at + 1 + page);
      const last = shown.at(-1);
      const isTruncated = at + 1 + page < all.length;
      const described = shown.map(({ key, entry, isLatest }) => ({
        Key: key,
        VersionId: entry.id,
        LastModified: entry.at,
        IsLatest: isLatest,
        data: entry.data,
      }));
      return {
        IsTruncated: isTruncated,
        ...(isTruncated ? { NextKeyMarker: last?.key, NextVersionIdMarker: last?.entry.id } : {}),
        Versions: described.flatMap(({ data, ...version }) =>
          data === undefined ? [] : [{ ...version, Size: data.length }],
        ),
        DeleteMarkers: described.flatMap(({ data, ...marker }) => (data === undefined ? [marker] : [])),
      };
    }),
  );
  mock.on(DeleteObjectsCommand).callsFake(
    request(({ Delete }: { Delete?: { Objects?: { Key?: string; VersionId?: string }[] } }) => {
      for (const { Key = '', VersionId } of Delete?.Objects ?? []) {
        const entries = keys.get(Key) ?? expect.fail(`no key ${Key}`);
        const removed = entries.find(({ id }) => id === VersionId) ?? expect.fail(`no version of ${Key}`);
        if (removed.data !== undefined && !mayLoseData) expect.fail(`${Key} would lose data`);
        keys.set(
          Key,
          entries.filter((entry) => entry !== removed),
        );
      }
      return {};
    }),
  );

  return {
    put: (key: string, at: string, data = 'data') => {
      add(key, at, data);
    },
    remove: (key: string, at: string) => {
      add(key, at, undefined);
    },
    refuse: (error: Error) => {
      mock.on(ListObjectVersionsCommand).rejects(error);
    },
    refuseRemoval: (message: string) => {
      mock.on(DeleteObjectsCommand).resolves({ Errors: [{ Key: 'bodies/a', Message: message }] });
    },
    /** The data that reads find, by key. */
    current: () =>
      Object.fromEntries([...keys].flatMap(([key, [top]]) => (top?.data === undefined ? [] : [[key, top.data]]))),
    /** Versions and delete markers of all keys. */
    entries: () => [...keys.values()].flat().length,
    listings: () => mock.commandCalls(ListObjectVersionsCommand).length,
    removals: () => mock.commandCalls(DeleteObjectsCommand).length,
    clear: () => {
      keys.clear();
      mock.resetHistory();
    },
  };
}
