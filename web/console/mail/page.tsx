/** Queued and ended messages to users. */
import type { Mail } from '../../common/api-types.ts';
import { Icon } from '../../common/icon.tsx';
import { PageHead } from '../../common/panel.tsx';
import { PreciseTime } from '../../common/time.tsx';
import { choiceField, hoursAgo, searchField, timeField } from '../records/filter-fields.tsx';
import { createFilters, Filters, isFiltered } from '../records/filters.tsx';
import { Empty, EmptyList, RecordList } from '../records/record-list.tsx';
import type { Column } from '../records/record-table.tsx';
import { usePages } from '../records/use-pages.ts';
import { MailDetail } from './detail.tsx';
import { MAIL, messages, nameState, STATES } from './record.ts';
import { explainState } from './text.ts';

const PAGE_SIZE = '50';

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
        <button type="button" onClick={reload}>
          <Icon name="refresh" />
          Refresh
        </button>
      </PageHead>
      <Filters filters={mailFilters} />
      <RecordList
        nouns={['message', 'messages']}
        pages={pages}
        columns={COLUMNS}
        detail={(message) => <MailDetail record={message} onChange={reload} />}
        empty={
          <EmptyList noun="message" isFiltered={isFiltered(filter)} pages={pages} all={MAIL}>
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
const CHOICES = { ...STATES, failed: 'Failed or expired' };

const mailFilters = createFilters(MAIL, [
  searchField('recipient', {
    label: 'Recipient',
    placeholder: 'Recipient, or a part of the address',
    chip: 'To',
  }),
  choiceField('state', { label: 'State', options: CHOICES }),
  timeField(['from', 'to'], {
    label: 'Time',
    chips: ['From', 'Until'],
    spans: {
      'Last hour': () => hoursAgo(1),
      'Last 24 hours': () => hoursAgo(24),
      'Last 7 days': () => hoursAgo(7 * 24),
    },
  }),
]);
