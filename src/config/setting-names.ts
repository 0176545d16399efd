/** Finds mistyped names of settings, which would silently not apply. */
import leven from 'leven';
import type { ProcessEnvironment } from './environment-file.ts';
import { ConfigError } from './reader.ts';

/** Shorter names are similar to too many others. */
const MIN_LENGTH = 6;
const MAX_DISTANCE = 2;

/**
 * Returns an error for each unknown name in the file, which has settings only, and for each name in the environment of
 * the process that is nearly one of `known`.
 */
export function findWrongNames(
  { variables, fileNames }: Pick<ProcessEnvironment, 'variables' | 'fileNames'>,
  known: readonly string[],
): ConfigError[] {
  const ofFile = new Set(fileNames);
  return Object.keys(variables)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const similar = name.length < MIN_LENGTH ? undefined : findSimilar(name, known);
      if (similar === undefined && !ofFile.has(name)) return [];
      const advice = similar === undefined ? 'remove it' : `did you mean ${similar}?`;
      return [new ConfigError(name, `is not the name of a setting: ${advice}`)];
    });
}

function findSimilar(name: string, known: readonly string[]): string | undefined {
  const distance = (other: string) => leven(name, other, { maxDistance: MAX_DISTANCE + 1 });
  const [nearest] = known.toSorted((a, b) => distance(a) - distance(b));
  return nearest !== undefined && distance(nearest) <= MAX_DISTANCE ? nearest : undefined;
}
