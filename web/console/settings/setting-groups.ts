/** The subjects of settings. The service says which settings belong to each. */
import type { Setting } from '../../common/api-types.ts';

export interface GroupedSettings {
  readonly id: string;
  readonly title: string;
  readonly members: readonly Setting[];
}

const TITLES: Readonly<Record<string, string>> = {
  instance: 'Name and logo',
  registration: 'Registration',
  logins: 'Sign-ins and passwords',
  mail: 'Mail',
  events: 'Events and webhooks',
  limits: 'Rate limits',
  network: 'Network',
  operation: 'Operation',
};

/** Returns the groups in their order, then those of a later release, each with its members. */
export function groupSettings(settings: readonly Setting[]): readonly GroupedSettings[] {
  const ids = new Set([...Object.keys(TITLES), ...settings.map(({ group }) => group)]);
  return [...ids]
    .map((id) => ({ id, title: TITLES[id] ?? id, members: settings.filter(({ group }) => group === id) }))
    .filter(({ members }) => members.length > 0);
}

/** Returns the settings with all words of the text in their title, name or meaning. */
export function filterSettings(settings: readonly Setting[], text: string): readonly Setting[] {
  const words = text.toLowerCase().split(/[\s_]+/);
  return settings.filter(({ name, title, meaning }) => {
    const searched = `${title} ${name} ${name.replaceAll('_', ' ')} ${meaning}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
