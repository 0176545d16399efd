/** Settings of the service: the findings of its checks, and every setting by subject. */
import { useState } from 'preact/hooks';
import type { Findings, Setting, SettingList } from '../../common/api-types.ts';
import {
  Button,
  capitalize,
  formatCount,
  formatCounted,
  LoadState,
  PageHead,
  Panel,
} from '../../common/components.tsx';
import { ShortTime } from '../../common/time.tsx';
import { useData } from '../session.ts';
import { createChangeSetting } from './change-setting.ts';
import { filterSettings, groupSettings } from './setting-groups.ts';
import { SettingTable } from './setting-table.tsx';

export function SettingsPage() {
  const [loaded, again] = useData<SettingList>('/api/v1/admin/settings');
  const settings = loaded.data?.settings;
  const set = settings?.filter(({ source }) => source !== 'default') ?? [];
  return (
    <>
      <PageHead
        title="Settings"
        context={
          <>
            {settings && `${formatCount(set.length)} of ${formatCount(settings.length)} are set.`} A change
            takes effect on every node within five seconds. What the environment sets can only be changed
            there, with a restart.
          </>
        }
      />
      <Checks />
      <LoadState loaded={loaded} what="the settings" retry={again} />
      {settings && <Groups settings={settings} onChanged={again} />}
    </>
  );
}

function Groups({ settings, onChanged }: Readonly<{ settings: readonly Setting[]; onChanged: () => void }>) {
  const [text, setText] = useState('');
  const groups = groupSettings(filterSettings(settings, text));
  const change = createChangeSetting(onChanged);
  return (
    <div class="columns index">
      <div class="stack tight">
        <input
          type="text"
          aria-label="Filter settings"
          placeholder="Filter settings"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && setText('')}
        />
        <nav class="nav" aria-label="Groups of settings">
          {groups.map(({ id, title }) => (
            <a key={id} href={`#${id}`}>
              {title}
            </a>
          ))}
        </nav>
      </div>
      <div class="stack">
        <p class="visually-hidden" role="status">
          {text && formatCounted(groups.flatMap(({ members }) => members).length, 'setting')}
        </p>
        {groups.map((group) => (
          <SettingTable key={group.id} group={group} change={change} />
        ))}
        {groups.length === 0 && (
          <p class="panel empty">
            No title, name or meaning of a setting contains “{text.trim()}”.
            <Button text="Show all settings" class="link" onClick={() => setText('')} />
          </p>
        )}
      </div>
    </div>
  );
}

type Finding = Findings['checks'][number];

/** By the status of a finding; others are quiet. */
const TONES: Readonly<Record<string, string>> = { ok: 'usual', warning: 'warn', error: 'bad' };
const STATUSES: Readonly<Record<string, string>> = {
  ok: 'OK',
  warning: 'Warning',
  error: 'Error',
  skipped: 'Skipped',
};

function Checks() {
  const [loaded, again] = useData<Findings>('/api/v1/admin/checks');
  const findings = loaded.data;
  return (
    <Panel
      title="Checks"
      id="checks"
      beside={
        findings && (
          <>
            <p class="context">
              <ShortTime at={findings.generated_at} />
            </p>
            <Button
              text="Check again"
              class="compact end"
              onClick={again}
              aria-busy={loaded.state === 'loading'}
            />
          </>
        )
      }
    >
      <LoadState loaded={loaded} what="the findings" retry={again} />
      {findings && <Results findings={findings.checks} />}
    </Panel>
  );
}

function Results({ findings }: { readonly findings: readonly Finding[] }) {
  const isQuiet = ({ status }: Finding) => status === 'ok' || status === 'skipped';
  const isError = ({ status }: Finding) => status === 'error';
  const quiet = findings.filter(isQuiet);
  const loud = findings.filter((finding) => !isQuiet(finding));
  loud.sort((one, other) => Number(isError(other)) - Number(isError(one)));
  return (
    <>
      {loud.length > 0 && <FindingList findings={loud} />}
      <details>
        <summary>{summarize(quiet, loud.length > 0)}</summary>
        <FindingList findings={quiet} />
      </details>
    </>
  );
}

/** `7 other checks found nothing wrong, 1 was skipped.` */
function summarize(quiet: readonly Finding[], areOthers: boolean): string {
  const skipped = quiet.filter(({ status }) => status === 'skipped').length;
  const passed = quiet.length - skipped;
  const text = `${formatCount(passed)} ${areOthers ? 'other ' : ''}${passed === 1 ? 'check' : 'checks'} found nothing wrong`;
  if (skipped === 0) return `${text}.`;
  return `${text}, ${formatCount(skipped)} ${skipped === 1 ? 'was' : 'were'} skipped.`;
}

function FindingList({ findings }: { readonly findings: readonly Finding[] }) {
  return (
    <dl class="facts">
      {findings.map(({ check, status, message }) => (
        <div key={`${check} ${message}`}>
          <dt class="row">
            <span class={`badge ${TONES[status] ?? ''}`}>{STATUSES[status] ?? status}</span>
            <span>{capitalize(check)}</span>
          </dt>
          <dd>{toSentence(message)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The command line has one finding per line, without a full stop. */
function toSentence(message: string): string {
  const text = /^[a-z]+ /.test(message) ? capitalize(message) : message;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
