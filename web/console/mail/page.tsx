/** Queued and ended messages to users. */
import type { Mail as Message } from '../../common/api-types.ts';
import { ViewHeading } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { PreciseTime, timeZone } from '../../common/time.tsx';
import { Empty } from '../list/empty.tsx';
import { Filters, isFiltered } from '../records/filters.tsx';
import { EmptyList, RecordList } from '../records/record-list.tsx';
import type { Column } from '../records/record-table.tsx';
import { usePages } from '../records/use-pages.ts';
import { MailDetail } from './detail.tsx';
import { API_PATH, MAIL, mailFilters, nameState } from './mail-filters.tsx';
import { explainState } from './text.ts';

const PAGE_SIZE = '50';

const COLUMNS: readonly Column<Message>[] = [
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
function MailBadge({ message }: { readonly message: Message }) {
  const { state, attempts } = message;
  const isFailing = state === 'waiting' && attempts > 0;
  const tone = state === 'failed' ? 'bad' : isFailing ? 'warn' : state === 'sent' ? 'usual' : '';
  return (
    <span class={`badge ${tone}`} title={explainState(message)}>
      {nameState(message)}
    </span>
  );
}

export function Mail() {
  const filter = mailFilters.read();
  const pages = usePages<Message>(API_PATH, { ...filter, limit: PAGE_SIZE });
  const { reload } = pages;
  return (
    <>
      <div class="page-head">
        <div>
          <ViewHeading title="Mail">Mail</ViewHeading>
          <p class="context">
            Messages that wait, and those that have ended in the last 30 days; newest first. Times are in{' '}
            {timeZone}.
          </p>
        </div>
        <button type="button" onClick={reload}>
          <Icon name="refresh" />
          Refresh
        </button>
      </div>
      <Filters filters={mailFilters} />
      <RecordList
        label="Messages"
        nouns={['message', 'messages']}
        pages={pages}
        columns={COLUMNS}
        detail={(message) => <MailDetail message={message} onChange={reload} />}
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
