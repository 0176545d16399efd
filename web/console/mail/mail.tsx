/** The messages to users: those in the queue and those that have ended. */
import type { Mail as Message } from '../../common/api-types.ts';
import { Failure, Loading, ViewHeading } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { Link, query } from '../../common/router.tsx';
import { timeZone } from '../../common/time.tsx';
import { MoreButton } from '../list/more-button.tsx';
import { type Pages, usePages } from '../list/use-pages.ts';
import { API_PATH, isFiltered, MAIL, type MailFilter, readFilter } from './mail-filter.ts';
import { MailFilters } from './mail-filters.tsx';
import { MailRow } from './mail-row.tsx';

const PAGE_SIZE = '50';

export function Mail() {
  const filter = readFilter(query.value);
  const pages = usePages<Message>(API_PATH, { ...filter, limit: PAGE_SIZE });
  const { state, shown, reload } = pages;
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
      <MailFilters filter={filter} />
      {state.state === 'failed' && (
        <Failure what="The messages could not be loaded" error={state.error} retry={reload} />
      )}
      {shown === undefined && state.state === 'loading' && <Loading what="the messages" isTable />}
      {shown !== undefined && <List pages={pages} filter={filter} />}
    </>
  );
}

function List({ pages, filter }: { readonly pages: Pages<Message>; readonly filter: MailFilter }) {
  const { state, shown, reload } = pages;
  const isLoading = state.state === 'loading';
  const messages = shown?.items ?? [];
  return (
    <section class={`panel ${isLoading ? 'stale' : ''}`} aria-label="Messages" aria-busy={isLoading}>
      {messages.length > 0 ? (
        <MailTable messages={messages} onChange={reload} />
      ) : (
        <Empty filter={filter} hasMore={shown?.next != null} />
      )}
      <MoreButton pages={pages} nouns={['message', 'messages']} />
    </section>
  );
}

interface MailTableProps {
  readonly messages: readonly Message[];
  readonly onChange: () => void;
}

function MailTable({ messages, onChange }: MailTableProps) {
  return (
    <table class="records cards" aria-label="Messages">
      <thead>
        <tr>
          <th scope="col">Message</th>
          <th scope="col">To</th>
          <th scope="col">Queued</th>
          <th scope="col" class="num wide">
            Attempts
          </th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => (
          <MailRow key={message.id} message={message} onChange={onChange} />
        ))}
      </tbody>
    </table>
  );
}

function Empty({ filter, hasMore }: { readonly filter: MailFilter; readonly hasMore: boolean }) {
  if (hasMore)
    return <p class="empty">Nothing matches among the newest messages. Older ones were not searched yet.</p>;
  if (!isFiltered(filter))
    return <p class="empty">No message was queued in the last 30 days. A registration queues the first.</p>;
  return (
    <p class="empty">
      No message matches these filters. <Link to={MAIL}>Show all messages</Link>
    </p>
  );
}
