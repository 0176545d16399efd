/** Unicode normalization in linear time, for texts of any client. */

/** Runs of marks beyond the Stream-Safe Text Format (UAX 15), within which `normalize` takes linear time. */
const LONG_RUN = /\p{M}{31,}/gu;

/** The only mark of the highest combining class: every other mark is sorted before it, unless it has class 0. */
const LAST_MARK = '\u0345';

/** Returns `text.normalize('NFC')`, in linear time: long runs of marks are sorted before. */
export function normalizeNfc(text: string): string {
  return text.replace(LONG_RUN, inCanonicalOrder).normalize('NFC');
}

/** No service that normalizes passwords to NFKC accepts longer ones; sorting so few marks takes no time. */
const MAX_NFK_LENGTH = 4_096;

/** Returns `text.normalize('NFKC')`; texts of more than 4,096 UTF-16 units are returned unchanged. */
export function normalizeShortNfkc(text: string): string {
  return text.length > MAX_NFK_LENGTH ? text : text.normalize('NFKC');
}

/** Returns `text.normalize('NFKD')`; texts of more than 4,096 UTF-16 units are returned unchanged. */
export function normalizeShortNfkd(text: string): string {
  return text.length > MAX_NFK_LENGTH ? text : text.normalize('NFKD');
}

/** Returns the marks of a run decomposed and in canonical order (Unicode Standard, section 3.11). */
function inCanonicalOrder(run: string): string {
  const given = Array.from(run);
  const decompositions = new Map(
    [...new Set(given)].map((mark) => [mark, Array.from(mark.normalize('NFD'))]),
  );
  const ranks = combiningRanks(new Set([...decompositions.values()].flat()));
  let text = '';
  let byRank: string[] = [];
  for (const mark of given.flatMap((one) => decompositions.get(one)!)) {
    const rank = ranks.get(mark);
    if (rank !== undefined) byRank[rank] = (byRank[rank] ?? '') + mark;
    else {
      // A mark of class 0, which no other mark moves across.
      text += byRank.join('') + mark;
      byRank = [];
    }
  }
  return text + byRank.join('');
}

/** Returns the combining classes of decomposed marks as consecutive numbers, without the marks of class 0. */
function combiningRanks(marks: ReadonlySet<string>): ReadonlyMap<string, number> {
  const movable = [...marks].filter((mark) => mark === LAST_MARK || isSwapped(LAST_MARK, mark));
  const ranks = new Map<string, number>();
  let rank = 0;
  let previous = '';
  // Each mark once, so that sorting them by insertion is fast.
  for (const mark of movable.join('').normalize('NFD')) {
    if (isSwapped(mark, previous)) rank++;
    ranks.set(mark, rank);
    previous = mark;
  }
  return ranks;
}

function isSwapped(one: string, other: string): boolean {
  return (one + other).normalize('NFD') !== one + other;
}
