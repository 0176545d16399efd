/** A curve of daily counts: an image, and the same numbers in a table. */
import { useId } from 'preact/hooks';
import type { DailyCount } from '../../common/api-types.ts';
import { formatCount, ScrollArea } from '../../common/components.tsx';

const WIDTH = 300;
const HEIGHT = 60;
const MARGIN = 4;

interface CurveProps {
  readonly title: string;
  /** Oldest first. */
  readonly days: readonly DailyCount[];
}

export function Curve({ title, days }: CurveProps) {
  const titleId = useId();
  return (
    <section class="curve" aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <Graph days={days} label={`${title}: ${summary(days)}`} />
      <p class="ends">
        <span>{dayName(days[0]!.date)}</span>
        <span>{dayName(days.at(-1)!.date)}</span>
      </p>
      <details>
        <summary>{summary(days)}</summary>
        <ScrollArea label={`${title} by day`}>
          <CountTable days={days} />
        </ScrollArea>
      </details>
    </section>
  );
}

function Graph({ days, label }: { readonly days: readonly DailyCount[]; readonly label: string }) {
  const highest = Math.max(1, ...days.map(({ count }) => count));
  const points = days.map(({ count }, index) => {
    const x = MARGIN + (index / Math.max(1, days.length - 1)) * (WIDTH - 2 * MARGIN);
    const y = HEIGHT - MARGIN - (count / highest) * (HEIGHT - 2 * MARGIN);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  const base = HEIGHT - MARGIN;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <polygon class="area" points={`${MARGIN},${base} ${points.join(' ')} ${WIDTH - MARGIN},${base}`} />
      <polyline class="line" points={points.join(' ')} />
    </svg>
  );
}

/** The numbers of days without any are left out, because most days of a small service have none. */
function CountTable({ days }: { readonly days: readonly DailyCount[] }) {
  const filled = days.filter(({ count }) => count > 0).reverse();
  if (filled.length === 0) return <p>No data.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Day (UTC)</th>
          <th scope="col">Count</th>
        </tr>
      </thead>
      <tbody>
        {filled.map(({ date, count }) => (
          <tr key={date}>
            <td>{dayName(date)}</td>
            <td>{formatCount(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function summary(days: readonly DailyCount[]): string {
  const highest = days.reduce((one, other) => (other.count > one.count ? other : one));
  if (highest.count === 0) return 'None in 30 days';
  return `Most ${formatCount(highest.count)} on ${dayName(highest.date)}, today ${formatCount(days.at(-1)!.count)}`;
}

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

function dayName(date: string): string {
  return DAY.format(new Date(date));
}
