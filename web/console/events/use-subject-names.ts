/** Loads the names of the webhooks, credentials, applications, identity providers, groups and forms that events are about. */
import { useEffect } from 'preact/hooks';
import type { AdminScope, AuditEvent } from '../../common/api-types.ts';
import { may, read } from '../session.ts';
import { getApplicationId, subjectNames } from './subject.ts';

interface NamedKind {
  readonly path: string;
  /** That reads them. */
  readonly scope: AdminScope;
  readonly getName: (record: NamedRecord) => string;
}

type NamedRecord = Readonly<Record<'id' | 'url' | 'name' | 'title', string>>;

const KINDS: Readonly<Record<string, NamedKind>> = {
  // Paths and queries of webhooks may contain secrets of the receiver.
  webhook: { path: '/api/v1/webhooks', scope: 'webhooks:write', getName: ({ url }) => new URL(url).host },
  credential: { path: '/api/v1/credentials', scope: 'admin', getName: ({ name }) => name },
  application: { path: '/api/v1/applications', scope: 'applications:read', getName: ({ name }) => name },
  identity_provider: {
    path: '/api/v1/identity-providers',
    scope: 'identity-providers:write',
    getName: ({ name }) => name,
  },
  group: { path: '/api/v1/groups', scope: 'groups:read', getName: ({ title }) => title },
  form: { path: '/api/v1/forms?limit=100', scope: 'forms:read', getName: ({ title }) => title },
};

/** Loads the names of the kinds that are among the subjects of the events, once more for other events. */
export function useSubjectNames(events: readonly AuditEvent[]): void {
  const kinds = listKinds(events);
  const latest = events[0]?.id;
  useEffect(() => {
    for (const kind of kinds) void loadNames(kind);
  }, [kinds.join(), latest]);
}

function listKinds(events: readonly AuditEvent[]): string[] {
  const kinds = new Set(
    events.flatMap((event) => {
      const kind = event.subject?.split(':')[0] ?? '';
      // Submissions are named by their form.
      return [kind === 'submission' ? 'form' : kind, getApplicationId(event) === null ? '' : 'application'];
    }),
  );
  return [...kinds].filter((kind) => Object.hasOwn(KINDS, kind) && may(KINDS[kind]!.scope)).sort();
}

/** Without an answer, events stay without names. */
async function loadNames(kind: string): Promise<void> {
  const { path, getName } = KINDS[kind]!;
  const records = await read<readonly NamedRecord[]>(path).catch(() => undefined);
  if (records === undefined) return;
  const names = new Map(records.map((record) => [`${kind}:${record.id}`, getName(record)]));
  subjectNames.value = { ...subjectNames.value, [kind]: names };
}
