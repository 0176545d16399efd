/** The file `.env` in the working directory, with settings that the environment does not have. */
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import leven from 'leven';
import { readText } from '../lib/files.ts';
import { ConfigError, type Environment } from './read-settings.ts';

const NAME = '.env';

/** The variables of a process, and those of the file that it does not have. */
export type ProcessEnvironment = ReturnType<typeof readEnvironment>;

/** Adds variables of the file in `directory` that the process does not have, even empty. @throws ConfigError */
export function readEnvironment(directory: string, variables: Environment) {
  const file = join(directory, NAME);
  const text = readIfPresent(file);
  const given = Object.entries(text === null ? {} : parseEnv(text));
  const added = given.filter(([name]) => variables[name] === undefined);
  return {
    variables: { ...variables, ...Object.fromEntries(added) },
    file,
    fileExists: text !== null,
    fileNames: given.map(([name]) => name),
    /** Names of the variables whose value is that of the file. */
    namesFromFile: new Set(added.map(([name]) => name)),
  };
}

function readIfPresent(file: string): string | null {
  try {
    return readText(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new ConfigError(file, `cannot be read: ${code}`);
  }
}

/** Returns the message of an invalid setting, with the file if the value is from there. */
export function describeConfigError(
  { message, setting }: ConfigError,
  environment: ProcessEnvironment | undefined,
): string {
  return environment?.namesFromFile.has(setting) ? `${message} (in ${environment.file})` : message;
}

/** Shorter names are similar to too many others. */
const MIN_LENGTH = 6;
const MAX_DISTANCE = 2;

/** Returns an error for each unknown name of the file, and each of the process that is nearly one of `known`. */
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
  const similar = known.filter((other) => distance(other) <= MAX_DISTANCE);
  return similar.sort((a, b) => distance(a) - distance(b))[0];
}
