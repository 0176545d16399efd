/** What the client would like to read (RFC 9110 section 12.5.1). */
import { PROBLEM_TYPE } from './media-types.ts';

const JSON_RANGE = 'application/json';

/** Whether a JSON answer fits the Accept header. Who names only the form of errors is answered, too. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === JSON_RANGE) return true;
  return quality(accept, JSON_RANGE) > 0 || (parse(accept).get(PROBLEM_TYPE) ?? 0) > 0;
}

/** Whether errors go out as RFC 9457: only when it is named, and at least as welcome as plain JSON. */
export function prefersProblemJson(accept: string | undefined): boolean {
  if (accept === undefined || !/problem\+json/i.test(accept)) return false;
  const problem = parse(accept).get(PROBLEM_TYPE) ?? 0;
  return problem > 0 && problem >= quality(accept, JSON_RANGE);
}

/** The weight of one media type: the most specific range that covers it counts, and an empty header is none. */
export function quality(accept: string, mediaType: string): number {
  const ranges = parse(accept);
  if (ranges.size === 0) return 1;
  const [type] = mediaType.split('/');
  return ranges.get(mediaType) ?? ranges.get(`${type}/*`) ?? ranges.get('*/*') ?? 0;
}

function parse(accept: string): Map<string, number> {
  const ranges = new Map<string, number>();
  for (const part of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const value = weight === undefined ? 1 : Number(weight.slice(2));
    if (range !== '') ranges.set(range, Number.isNaN(value) ? 0 : value);
  }
  return ranges;
}
