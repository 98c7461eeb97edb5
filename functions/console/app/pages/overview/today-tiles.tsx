import { useQuery } from '@tanstack/preact-query';
import { latencyText } from '../../charts/latency-scale.ts';
import { Loaded } from '../../components/loaded.tsx';
import { countText, numberFormat } from '../../locale.ts';
import { readToday, type Today } from './today.ts';

const POLL_MS = 60_000;

/** Events, deliveries, waiting deliveries and latency of the day. */
export function TodayTiles({ interval }: { interval: number | false }) {
  const query = useQuery({
    queryKey: ['today'],
    queryFn: ({ client }) => readToday(client, new Date()),
    refetchInterval: interval === false ? false : POLL_MS,
  });
  return (
    <section aria-label="Today">
      <Loaded query={query} rows={1}>
        {(today) => <Tiles today={today} />}
      </Loaded>
    </section>
  );
}

const SHARE = numberFormat({ style: 'percent', maximumFractionDigits: 1 });

/** `99.5% of attempts`; rounded down, so that only a whole success is 100%. */
function successText({ delivered, failed }: Pick<Today, 'delivered' | 'failed'>): string {
  const attempts = delivered + failed;
  if (attempts === 0) return 'no attempts';
  return `${SHARE.format(Math.floor((delivered / attempts) * 1_000) / 1_000)} of attempts`;
}

const slowestText = (slowest: Today['slowest']): string =>
  slowest ? `slowest${slowest.isOfAll ? '' : ' of 100'}: ${slowest.name}` : 'nothing delivered';

const Tiles = ({ today }: { today: Today }) => (
  <dl class="tiles">
    <Tile
      name="Events today"
      value={countText(today.events)}
      note={today.errors === 1 ? '1 error' : `${countText(today.errors)} errors`}
      isBad={today.errors > 0}
    />
    <Tile
      name="Deliveries today"
      value={countText(today.delivered)}
      note={successText(today)}
      isBad={today.failed > 0}
    />
    <Tile
      name="Waiting"
      value={`${countText(today.waiting)}${today.isLeast ? '+' : ''}`}
      note={today.waiting === 0 ? 'no deliveries' : 'deliveries'}
      isBad={today.waiting > 0}
    />
    <Tile
      name="p95 latency, UTC"
      value={today.slowest ? latencyText(today.slowest.ms) : '–'}
      note={slowestText(today.slowest)}
    />
  </dl>
);

interface TileProps {
  name: string;
  value: string;
  note: string;
  isBad?: boolean;
}

const Tile = ({ name, value, note, isBad = false }: TileProps) => (
  <div class="card tile">
    <dt>{name}</dt>
    <dd class="tile-value">{value}</dd>
    <dd class={isBad ? 'tile-note bad' : 'tile-note'} title={note}>
      {note}
    </dd>
  </div>
);
