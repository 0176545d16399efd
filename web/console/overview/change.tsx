/** The change of a figure against an equal span before. */
import { formatCount } from '../../common/components.tsx';

export interface ComparedCounts {
  readonly count: number;
  readonly previous: number;
}

interface ChangeProps extends ComparedCounts {
  /** The span of `count`: `yesterday`. */
  readonly span: string;
  /** The span of `previous`: `the day before`. */
  readonly before: string;
  /** Whether fewer are good, such as failures. */
  readonly isLessBetter?: boolean;
}

export function Change({ count, previous, span, before, isLessBetter = false }: ChangeProps) {
  const by = count - previous;
  const isGood = by > 0 !== isLessBetter;
  const tone = by === 0 ? 'muted' : isGood ? 'tone good' : 'tone bad';
  return (
    <span
      key={`${count} ${previous}`}
      title={`${formatCount(count)} ${span}, against ${formatCount(previous)} ${before}`}
    >
      <span class={tone}>{formatChange(by, previous)}</span>
      <span class="visually-hidden"> against {before}</span>
    </span>
  );
}

/** In per cent; the count itself, if there was nothing before. */
function formatChange(by: number, previous: number): string {
  if (by === 0) return '±0';
  if (previous === 0) return `+${formatCount(by)}`;
  return `${by > 0 ? '+' : '−'}${formatCount(Math.round((Math.abs(by) / previous) * 100))} %`;
}
