/** The number of kills in a series, which KILLS sets: `KILLS=1000 npm run test:slow`. */
const DEFAULT_KILLS = 100;

export const KILLS = parseKills(process.env.KILLS);

/** @throws when it is not a number of kills, since the series would be another one than was asked for */
function parseKills(text = String(DEFAULT_KILLS)): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`KILLS is ${JSON.stringify(text)}: expected 1 to 999999`);
  return Number(text);
}

/** Returns a limit for a series of this length that takes `ms` with the usual one. */
export function scaleTimeout(ms: number): number {
  return ms * Math.max(1, KILLS / DEFAULT_KILLS);
}
