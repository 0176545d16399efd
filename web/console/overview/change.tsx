/** The change of a figure against an equal span before. */
import { capitalize } from '../../common/capitalize.ts';
import { formatCount } from '../../common/components.tsx';

export interface ComparedCounts {
  /** Null if it is not known. */
  readonly count: number | null;
  readonly previous: number | null;
}

interface ChangeProps extends ComparedCounts {
  /** The span before: `yesterday until this time`. */
  readonly before: string;
  /** End of the span of `count`. */
  readonly until: string;
  /** Whether fewer are good, such as failures. */
  readonly isLessBetter?: boolean;
}

export function Change({ count, previous, before, until, isLessBetter = false }: ChangeProps) {
  if (count === null || previous === null)
    return (
      <span
        class="muted"
        title={`${capitalize(before)} is not known: an earlier release did not store times`}
      >
        – <span class="visually-hidden">against {before}, which is not known</span>
      </span>
    );
  const by = count - previous;
  const isGood = by > 0 !== isLessBetter;
  const tone = by === 0 ? 'muted' : isGood ? 'tone good' : 'tone bad';
  const time = `${until.slice(11, 16)} UTC`;
  return (
    <span title={`${formatCount(count)} until ${time}, against ${formatCount(previous)} ${before}`}>
      <span class={tone}>{formatChange(by, previous)}</span>
      <span class="visually-hidden"> against {before}</span>
    </span>
  );
}

/** In per cent, which has no meaning if there was nothing before. */
function formatChange(by: number, previous: number): string {
  if (by === 0) return '±0';
  if (previous === 0) return 'up from 0';
  return `${by > 0 ? '+' : '−'}${formatCount(Math.round((Math.abs(by) / previous) * 100))} %`;
}
