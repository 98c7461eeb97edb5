import { countText } from '../locale.ts';
import { letGo } from './pointer-aim.ts';

/** Shows the new rows of a list that stands still. It takes no room of its own, so that nothing moves when it comes. */
export const NewRows = ({ count }: { count: number }) =>
  count > 0 && (
    <button type="button" class="new-rows" title="They come when the pointer leaves the list" onClick={letGo}>
      {countText(count)} new
    </button>
  );
