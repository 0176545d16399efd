/** The settings in force, from the environment, else from the database, else by default. */
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { readStoredTexts, readVersion } from './queries.ts';
import { InvalidValue } from './rules.ts';
import {
  type CurrentSettings,
  createCurrentSettings,
  describeValue,
  isOwnTextsName,
  RUN_TIME_SETTINGS,
  type SettingTexts,
} from './run-time-settings.ts';
import type { EffectiveSetting } from './setting-definition.ts';

/** Texts of the environment, which have been validated. */
interface EnvironmentSettings {
  readonly fixed: SettingTexts;
  /** Defaults that replace those of the definitions. */
  readonly defaults: SettingTexts;
}

/** A stored value that breaks the rule of its setting, so that the default applies. */
export interface IgnoredValue {
  readonly name: string;
  /** Goes on after the name. */
  readonly reason: string;
}

interface StoredSettings {
  readonly version: number;
  readonly texts: SettingTexts;
}

export type LiveSettings = ReturnType<typeof createLiveSettings>;

const NOTHING: StoredSettings = { version: -1, texts: new Map() };

function createLiveSettings(database: Database, environment: EnvironmentSettings) {
  let state = createState(environment, NOTHING);
  const replace = (stored: StoredSettings) => {
    state = createState(environment, stored, state.current);
  };
  return {
    ...environment,
    get current() {
      return state.current;
    },
    get stored() {
      return state.stored;
    },
    get ignored() {
      return state.ignored;
    },
    list: () => listRunTimeSettings(environment, state.valid),
    /** Reads changes of other processes. @throws DatabaseUnavailable */
    async refresh() {
      const before = state.stored;
      // Before the texts, so that they are never older than their version.
      const version = await readVersion(database);
      if (version === before.version) return;
      const texts = await readStoredTexts(database);
      // Otherwise this process has stored newer ones meanwhile.
      if (state.stored === before) replace({ version, texts });
    },
    /** Replaces the values after this process has stored new ones. */
    apply(stored: StoredSettings) {
      if (stored.version > state.stored.version) replace(stored);
    },
  };
}

export async function loadSettings(
  database: Database,
  environment: EnvironmentSettings,
): Promise<LiveSettings> {
  const settings = createLiveSettings(database, environment);
  await settings.refresh();
  return settings;
}

function createState(
  { fixed, defaults }: EnvironmentSettings,
  stored: StoredSettings,
  previous?: CurrentSettings,
) {
  /** Stored texts that fulfil their rules. */
  const valid = new Map<string, string>();
  const ignored: IgnoredValue[] = [];
  for (const [name, text] of stored.texts) {
    const reason = isOwnTextsName(name) ? null : findFault(name, text);
    if (reason === null) valid.set(name, text);
    else ignored.push({ name, reason });
  }
  const texts = new Map([...defaults, ...valid, ...fixed]);
  return { stored, valid, ignored, current: createCurrentSettings(texts, previous) };
}

/** Returns why the text cannot be the value of this setting; null if it can. */
export function findFault(name: string, text: string): string | null {
  const definition = RUN_TIME_SETTINGS.get(name);
  if (definition === undefined) return 'is not a setting of this release that can change at run time';
  try {
    definition.rule(text);
    return null;
  } catch (error) {
    if (error instanceof InvalidValue) return error.message;
    throw error;
  }
}

/** Returns the settings that can change, with the values that apply. `valid`: texts of the database. */
export function listRunTimeSettings(
  { fixed, defaults }: EnvironmentSettings,
  valid: SettingTexts = new Map(),
): EffectiveSetting[] {
  return Array.from(RUN_TIME_SETTINGS, ([name, definition]) => {
    const fallback = defaults.get(name) ?? definition.fallback;
    const text = fixed.get(name) ?? valid.get(name) ?? fallback;
    const stored = valid.has(name) ? 'database' : 'default';
    return {
      name,
      value: text === null ? null : describeValue(name, text),
      source: fixed.has(name) ? 'environment' : stored,
      default: fallback,
      is_secret: false,
      is_set: text !== null,
    };
  });
}

/** With the time of two short reads, changes of other processes take effect within five seconds. */
const POLL_MS = 2_000;

/** Reads changes of other processes every two seconds. Failures leave the settings as they are. */
export function followSettings(settings: LiveSettings, logger: Logger) {
  let isFailing = false;
  let reported = settings.stored;
  warnOfIgnored(settings, logger);
  const poll = async () => {
    try {
      await settings.refresh();
      isFailing = false;
      if (settings.stored !== reported) warnOfIgnored(settings, logger);
      reported = settings.stored;
    } catch (error) {
      // Once per outage, which every other use of the database reports as well.
      if (!isFailing) logger.warn({ err: error }, 'settings were not read and stay as they are');
      isFailing = true;
    }
  };
  let polling: Promise<void> | null = null;
  const timer = setInterval(() => {
    polling ??= poll().finally(() => {
      polling = null;
    });
  }, POLL_MS).unref();
  const close = async () => {
    clearInterval(timer);
    await polling;
  };
  return { close };
}

function warnOfIgnored({ ignored }: LiveSettings, logger: Logger): void {
  for (const { name, reason } of ignored)
    logger.warn({ setting: name, reason }, 'a stored setting is invalid and ignored');
}
