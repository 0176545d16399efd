/** The settings of a form, which are the same for all of its versions. */
import { listZoneChoices } from '../../../src/lib/text/time-zones.ts';
import { Facts, Panel } from '../../common/components.tsx';
import { Check, Field, Select } from '../../common/form.tsx';
import { TimeLimit } from '../records/time-range.tsx';
import { announce } from '../status.tsx';
import { DEFAULTS, formatMember, MEMBER_NAMES } from './changes.ts';
import type { FormDraft } from './draft.tsx';
import { ValueList } from './editor/value-list.tsx';
import { type FormMember, toNumber } from './typed.ts';

interface SettingsProps {
  readonly draft: FormDraft;
}

/** For those who may not change the form. */
export function SettingFacts({ draft: { typed } }: SettingsProps) {
  const { title: _, description: _description, fields: _fields, ...settings } = typed;
  return (
    <Panel title="Settings" id="settings">
      <Facts
        facts={Object.fromEntries(
          Object.entries(settings).map(([member, value]) => [
            MEMBER_NAMES[member as FormMember] ?? member,
            formatMember(value ?? DEFAULTS[member as FormMember] ?? null, settings.time_zone),
          ]),
        )}
      />
    </Panel>
  );
}

const CHOICES = {
  access: { public: 'Anybody', token: 'Users with a token, over the API' },
  on_erasure: { delete: 'Delete them', unlink: 'Keep their answers without the user' },
} as const;

export function Settings({ draft }: SettingsProps) {
  const { typed, set, error } = draft;
  return (
    <Panel title="Settings" id="settings" body="stack">
      <p class="small muted">They have effect as soon as they are saved; fields when they are published.</p>
      <div class="grid">
        {(['access', 'on_erasure'] as const).map((member) => (
          <Select
            key={member}
            label={MEMBER_NAMES[member]}
            options={Object.entries(CHOICES[member])}
            value={typed[member]}
            onValue={(value) => set({ [member]: value })}
          />
        ))}
        <Times draft={draft} />
        <Limits draft={draft} />
        <Thanks draft={draft} />
      </div>
      {typed.access === 'token' && (
        <Check text={MEMBER_NAMES.once} isChecked={typed.once} onChecked={(once) => set({ once })} />
      )}
      <ValueList
        names={[MEMBER_NAMES.allowed_origins, 'Origin']}
        values={typed.allowed_origins}
        onValues={(values) => set({ allowed_origins: values })}
        errors={error?.errors.allowed_origins}
        hint="Origins such as https://example.com: their pages may embed the form, post to it and be led to."
        onLeave={cutPath}
      />
      <Messages draft={draft} />
    </Panel>
  );
}

/** Returns the origin of the address of a page. */
function cutPath(value: string): string {
  const origin = /^https?:\/\//i.test(value.trim()) ? URL.parse(value)?.origin : undefined;
  if (origin === undefined || origin === value) return value;
  announce(`Only the origin counts: ${value} is now ${origin}.`);
  return origin;
}

const EVERY = { '': 'Never', submission: 'Of each submission', hour: 'Once an hour' } as const;

function Messages({ draft: { typed, set, error } }: SettingsProps) {
  const { every = '', addresses = [''] } = typed.notify ?? {};
  const change = (next: string, to: string[]) =>
    set({ notify: next === '' ? null : { every: next as 'hour', addresses: to } });
  return (
    <>
      <Select
        label="Send messages"
        options={Object.entries(EVERY)}
        value={every}
        onValue={(next) => change(next, addresses)}
      />
      {every !== '' && (
        <ValueList
          names={[MEMBER_NAMES.notify, 'Address']}
          values={addresses}
          onValues={(values) => change(every, values)}
          errors={error?.errors.notify}
          hint="They contain no answers."
        />
      )}
    </>
  );
}

const NUMBERS = {
  max_submissions: 'Empty for any number.',
  max_per_minute:
    'More are held for you to decide; empty for 10. People who use the page of the form do not count.',
  retention_days: 'Empty until you delete them.',
} as const;

const listZoneOptions = (current: string | null) =>
  listZoneChoices(current).map((zone) => [zone === 'UTC' ? '' : zone, zone] as const);

function Times({ draft: { typed, set, error } }: SettingsProps) {
  const timeZone = typed.time_zone ?? 'UTC';
  return (
    <>
      {(['opens_at', 'closes_at'] as const).map((member) => (
        <TimeLimit
          key={member}
          label={`${MEMBER_NAMES[member]} (optional)`}
          kind="datetime-local"
          value={typed[member]}
          onValue={(value) => set({ [member]: value })}
          errors={error?.errors[member]}
          timeZone={timeZone}
          hint={`In ${timeZone}.`}
        />
      ))}
      <Select
        label={MEMBER_NAMES.time_zone}
        options={listZoneOptions(typed.time_zone)}
        value={typed.time_zone ?? ''}
        onValue={(value) => set({ time_zone: value || null })}
        errors={error?.errors.time_zone}
        hint="People read both times in it."
      />
    </>
  );
}

function Limits({ draft: { typed, set, error } }: SettingsProps) {
  return (['max_submissions', 'max_per_minute', 'retention_days'] as const).map((member) => (
    <Field
      key={member}
      label={MEMBER_NAMES[member]}
      name={member}
      value={String(typed[member] ?? '')}
      onValue={(text) => set({ [member]: toNumber(text) })}
      error={error}
      autocomplete="off"
      hint={NUMBERS[member]}
    />
  ));
}

const THANKS = { '': 'The usual thanks', text: 'A text of yours', url: 'A page of yours' } as const;

function Thanks({ draft: { typed, set, error } }: SettingsProps) {
  const [[kind, text] = ['', '']] = Object.entries(typed.thanks ?? {});
  const change = (next: string, value: string) => set({ thanks: next === '' ? null : { [next]: value } });
  return (
    <>
      <Select
        label={MEMBER_NAMES.thanks}
        options={Object.entries(THANKS)}
        value={kind}
        onValue={(next) => change(next, text)}
      />
      {kind !== '' && (
        <Field
          label={kind === 'url' ? 'Address of the page' : 'Text'}
          name="thanks"
          rows={2}
          value={text}
          onValue={(value) => change(kind, value)}
          error={error}
          direction="auto"
        />
      )}
    </>
  );
}
