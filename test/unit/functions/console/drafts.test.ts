import { describe, expect, test, vi } from 'vitest';
import {
  createDraftStore,
  type DraftStorage,
  LONGEST_DRAFT,
  MAX_DRAFTS,
} from '../../../../functions/console/app/drafts/draft-store.ts';
import { restoredEdits, unsavedEdits } from '../../../../functions/console/app/drafts/unsaved-edits.ts';

/** The storage of a tab, with room for so many characters. */
class TabStorage implements DraftStorage {
  readonly items = new Map<string, string>();
  room = Infinity;

  get length(): number {
    return this.items.size;
  }

  key(n: number): string | null {
    return [...this.items.keys()][n] ?? null;
  }

  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    if (value.length > this.room) throw new Error('QuotaExceededError');
    this.items.set(key, value);
  }

  removeItem(key: string): void {
    this.items.delete(key);
  }
}

function storeAt() {
  const storage = new TabStorage();
  const clock = { ms: 1_000 };
  return { storage, clock, drafts: createDraftStore(storage, () => clock.ms) };
}

const filesOf = (text: string) => new Map([['a.mjs', text]]);

describe('the drafts of a tab', () => {
  test('are kept by source, with the time of the last change', () => {
    const { drafts, clock } = storeAt();
    expect(drafts.read('dc_1')).toBeUndefined();
    expect(drafts.write('dc_1', { base: 'sc_1', files: filesOf('one') })).toBe(true);
    clock.ms = 2_000;
    drafts.write('dc_1', { base: 'sc_1', files: new Map([...filesOf('two'), ['__proto__', 'three']]) });
    expect(drafts.read('dc_1')).toEqual({
      at: 2_000,
      base: 'sc_1',
      files: new Map([...filesOf('two'), ['__proto__', 'three']]),
    });
    expect([drafts.has('dc_1'), drafts.has('dc_2')]).toEqual([true, false]);
    drafts.remove('dc_1');
    expect(drafts.read('dc_1')).toBeUndefined();
  });

  test('are at most ten; a further one replaces the oldest, and a change makes none older', () => {
    const { drafts, clock, storage } = storeAt();
    for (let n = 0; n < MAX_DRAFTS; n += 1) {
      clock.ms += 1;
      drafts.write(`dc_${n}`, { base: 'sc_1', files: filesOf(`${n}`) });
    }
    clock.ms += 1;
    drafts.write('dc_0', { base: 'sc_1', files: filesOf('changed') });
    clock.ms += 1;
    drafts.write('dc_new', { base: 'sc_1', files: filesOf('new') });
    expect(storage.items.size).toBe(MAX_DRAFTS);
    expect([drafts.has('dc_0'), drafts.has('dc_1'), drafts.has('dc_new')]).toEqual([true, false, true]);
  });

  test('that are too long are not kept, and leave no earlier text behind', () => {
    const { drafts } = storeAt();
    drafts.write('dc_1', { base: 'sc_1', files: filesOf('short') });
    expect(drafts.write('dc_1', { base: 'sc_1', files: filesOf('x'.repeat(LONGEST_DRAFT)) })).toBe(false);
    expect(drafts.has('dc_1')).toBe(false);
  });

  test('are not kept when the browser has no room', () => {
    const { drafts, storage } = storeAt();
    storage.room = 10;
    expect(drafts.write('dc_1', { base: 'sc_1', files: filesOf('text') })).toBe(false);
    expect(drafts.has('dc_1')).toBe(false);
  });

  test('are cleared, and nothing else of the tab', () => {
    const { drafts, storage } = storeAt();
    storage.setItem('tributary.key', 'key');
    drafts.write('dc_1', { base: 'sc_1', files: filesOf('1') });
    drafts.write('new', { base: '', files: filesOf('2') });
    drafts.clear();
    expect([...storage.items.keys()]).toEqual(['tributary.key']);
  });

  test.each(['', 'no JSON', '{}', '{"at":1,"base":"sc_1","files":{}}', 'null'])(
    'that cannot be read are none: %s',
    (text) => {
      const { drafts, storage } = storeAt();
      storage.setItem('tributary.draft.dc_1', text);
      expect(drafts.read('dc_1')).toBeUndefined();
    },
  );

  test('tell their listeners when one comes or goes, and not of each change', () => {
    const { drafts } = storeAt();
    const listener = vi.fn();
    const end = drafts.subscribe(listener);
    drafts.write('dc_1', { base: 'sc_1', files: filesOf('1') });
    drafts.write('dc_1', { base: 'sc_1', files: filesOf('2') });
    expect(listener).toHaveBeenCalledTimes(1);
    drafts.remove('dc_1');
    drafts.remove('dc_1');
    expect(listener).toHaveBeenCalledTimes(2);
    end();
    drafts.clear();
    expect(listener).toHaveBeenCalledTimes(2);
  });
});

describe('edits', () => {
  const stored = new Map([
    ['a.mjs', 'a'],
    ['b.mjs', 'b'],
  ]);

  test('are unsaved where they differ from the stored files', () => {
    const edits = new Map([
      ['a.mjs', 'a'],
      ['b.mjs', 'changed'],
    ]);
    expect(unsavedEdits(edits, stored)).toEqual(new Map([['b.mjs', 'changed']]));
  });

  test('of a draft are restored for files that still exist', () => {
    const files = new Map([
      ['a.mjs', 'a'],
      ['b.mjs', 'changed'],
      ['gone.mjs', 'c'],
    ]);
    expect(restoredEdits({ at: 1, base: 'sc_1', files }, stored)).toEqual(new Map([['b.mjs', 'changed']]));
    expect(restoredEdits(undefined, stored)).toEqual(new Map());
  });
});
