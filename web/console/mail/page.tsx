/** Queued and ended messages to users. */
import { useRef } from 'preact/hooks';
import type { Mail, MailCounts } from '../../common/api-types.ts';
import { Button, PageHead } from '../../common/components.tsx';
import { Link } from '../../common/router.tsx';
import { PreciseTime } from '../../common/time.tsx';
import { formatTotal } from '../forms/record.tsx';
import { searchField, timeField } from '../records/filter-fields.tsx';
import { createFilters, Filters, findKey, isFiltered } from '../records/filters.tsx';
import { type Column, Empty, EmptyList, RecordList, usePages } from '../records/record-list.tsx';
import { useData } from '../session.ts';
import { MailDetail } from './detail.tsx';
import { messages, nameState, STATES } from './record.ts';
import { explainState } from './text.ts';

const PAGE_SIZE = '50';
/** The service counts no further. */
const MAX_COUNT = 1_000;

const COLUMNS: readonly Column<Mail>[] = [
  { title: 'Message', isMain: true, render: ({ subject }) => subject },
  {
    title: 'To',
    class: 'grow',
    getHint: ({ recipient }) => recipient,
    render: ({ recipient }) => <bdi>{recipient}</bdi>,
  },
  { title: 'Queued', render: ({ created_at }) => <PreciseTime at={created_at} /> },
  { title: 'Attempts', class: 'num wide', render: ({ attempts }) => attempts },
  { title: 'State', class: 'state-cell', render: (message) => <MailBadge message={message} /> },
];

/** Only failures are coloured. */
function MailBadge({ message }: { readonly message: Mail }) {
  const { state, attempts } = message;
  const isFailing = state === 'waiting' && attempts > 0;
  const tone = state === 'failed' ? 'bad' : isFailing ? 'warn' : state === 'sent' ? 'usual' : '';
  return (
    <span class={`badge ${tone}`} title={explainState(message)}>
      {nameState(message)}
    </span>
  );
}

export function MailPage() {
  const filter = mailFilters.read();
  const pages = usePages<Mail>(messages.path, { ...filter, limit: PAGE_SIZE });
  const { reload } = pages;
  return (
    <>
      <PageHead
        title="Mail"
        context="Messages that wait, and those that have ended in the last 30 days; newest first."
      >
        <Button icon="refresh" text="Refresh" onClick={reload} />
      </PageHead>
      <States shown={filter.state ?? null} loaded={pages.state.data} />
      <Filters filters={mailFilters} />
      <RecordList
        nouns={['message', 'messages']}
        pages={pages}
        columns={COLUMNS}
        detail={(message) => <MailDetail record={message} onChange={reload} />}
        empty={
          <EmptyList noun="message" isFiltered={isFiltered(filter)} pages={pages} all={messages.page}>
            <Empty icon="mail" title="No messages in 30 days" docs="/docs/operations#mail">
              Links to confirm an email or to set a password appear here when they are queued, and why one
              could not be sent.
            </Empty>
          </EmptyList>
        }
      />
    </>
  );
}

/** With what a word alone does not tell. */
const TABS: Readonly<Record<Mail['state'], string>> = { ...STATES, failed: 'Failed or expired' };
/** Shown also without a message. */
const USUAL: readonly Mail['state'][] = ['waiting', 'failed', 'sent'];

interface StatesProps {
  readonly shown: string | null;
  /** The list: the messages are counted again when it was loaded. */
  readonly loaded: unknown;
}

function States({ shown, loaded }: StatesProps) {
  const revision = useRef({ loaded, number: 0 });
  if (revision.current.loaded !== loaded) revision.current = { loaded, number: revision.current.number + 1 };
  const [counts] = useData<MailCounts>(messages.pathTo('counts'), revision.current.number);
  const states = Object.keys(TABS) as Mail['state'][];
  const link = (state: string | null) => mailFilters.link({ state });
  return (
    <nav class="tabs" aria-label="State">
      <Link to={link(null)} aria-current={shown === null ? 'page' : undefined}>
        All
      </Link>
      {states
        .filter((state) => USUAL.includes(state) || state === shown || counts.data?.[state])
        .map((state) => (
          <Link key={state} to={link(state)} aria-current={state === shown ? 'page' : undefined}>
            {TABS[state]}{' '}
            <span class="muted" key={counts.data?.[state]}>
              {counts.data && formatTotal(counts.data[state], MAX_COUNT)}
            </span>
          </Link>
        ))}
    </nav>
  );
}

const mailFilters = createFilters(messages.page, [
  searchField('recipient', {
    label: 'Recipient',
    placeholder: 'Recipient, or a part of the address',
    chip: 'To',
  }),
  // The tabs show and change it.
  { parameters: { state: { read: (text) => findKey(TABS, text) } }, Control: () => null },
  timeField(['from', 'to'], {
    label: 'Time',
    chips: ['From', 'Until'],
    spans: ['Last hour', 'Last 24 hours', 'Last 7 days'],
  }),
]);
