/** The file `.env` in the working directory, with settings that the environment does not have. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError, type Environment } from './reader.ts';

const NAME = '.env';

/** The variables of a process, and those of the file that it does not have. */
export interface ProcessEnvironment {
  readonly variables: Environment;
  readonly file: string;
  readonly fileExists: boolean;
  /** Names of all variables in the file. */
  readonly fileNames: readonly string[];
  /** Names of the variables whose value is that of the file. */
  readonly namesFromFile: ReadonlySet<string>;
}

/**
 * Adds the variables of the file in `directory`, if there is one. Those of the process win, also if they are empty, so
 * that a variable of the file can be switched off for one start.
 * @throws ConfigError if the file cannot be read
 */
export function readEnvironment(directory: string, variables: Environment): ProcessEnvironment {
  const file = join(directory, NAME);
  const text = readIfPresent(file);
  const given = Object.entries(text === null ? {} : parseEnv(text));
  const added = given.filter(([name]) => variables[name] === undefined);
  return {
    variables: { ...variables, ...Object.fromEntries(added) },
    file,
    fileExists: text !== null,
    fileNames: given.map(([name]) => name),
    namesFromFile: new Set(added.map(([name]) => name)),
  };
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
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
