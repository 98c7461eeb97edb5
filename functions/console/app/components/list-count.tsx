import { countText } from '../locale.ts';

interface ListCountProps {
  shown: number;
  /** The count of the whole list, as the service tells it. */
  total: number;
  /** The service counts no further. */
  longest?: number;
  one: string;
  many: string;
}

/** `12 of 1,000+ deliveries`, or `42 events` when all are shown. */
export function ListCount({ shown, total, longest = Infinity, one, many }: ListCountProps) {
  const all = `${countText(total)}${total >= longest ? '+' : ''}`;
  const noun = total === 1 ? one : many;
  return (
    <p class="hint list-count">
      {shown === total && total < longest ? `${all} ${noun}` : `${countText(shown)} of ${all} ${noun}`}
    </p>
  );
}
