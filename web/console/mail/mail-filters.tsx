/** The filter bar of the messages, and a chip for each filter that applies. */
import { useEffect, useId, useState } from 'preact/hooks';
import { Icon } from '../../common/icon.tsx';
import { navigate } from '../../common/router.tsx';
import { formatTime } from '../../common/time.tsx';
import { type Chip, Chips } from '../list/chips.tsx';
import { Choice } from '../list/choice.tsx';
import { TimeRange } from '../list/time-range.tsx';
import { linkToMail, MAIL, type MailFilter, type MailState, STATES } from './mail-filter.ts';

const HOUR = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
const SPANS = {
  'Last hour': () => ago(1),
  'Last 24 hours': () => ago(24),
  'Last 7 days': () => ago(7 * 24),
} as const;

export function MailFilters({ filter }: { readonly filter: MailFilter }) {
  const show = (changes: Partial<MailFilter>) => navigate(linkToMail({ ...filter, ...changes }));
  const { state, recipient, from, to } = filter;
  return (
    <>
      <search class="filters">
        <RecipientField
          recipient={recipient ?? ''}
          onRecipient={(text) => show({ recipient: text || null })}
        />
        <Choice
          label="State"
          value={state ?? ''}
          options={{ '': 'All', ...STATES }}
          onChoose={(chosen) => show({ state: chosen || null })}
        />
        <TimeRange label="Time" kind="datetime-local" range={{ from, to }} spans={SPANS} onRange={show} />
      </search>
      <Chips chips={listChips(filter)} clear={MAIL} />
    </>
  );
}

interface RecipientFieldProps {
  readonly recipient: string;
  readonly onRecipient: (text: string) => void;
}

/** Applied with Enter and when it is left. */
function RecipientField({ recipient, onRecipient }: RecipientFieldProps) {
  const id = useId();
  const [text, setText] = useState(recipient);
  useEffect(() => setText(recipient), [recipient]);
  const apply = () => {
    if (text.trim() !== recipient) onRecipient(text.trim());
  };
  return (
    <form
      class="search"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <label for={id} class="visually-hidden">
        Recipient
      </label>
      <Icon name="search" />
      <input
        id={id}
        type="search"
        value={text}
        maxLength={255}
        placeholder="Recipient, or a part of the address"
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={apply}
      />
    </form>
  );
}

function listChips(filter: MailFilter): Chip[] {
  const { state, recipient, from, to } = filter;
  const chips: Chip[] = [];
  const add = (name: string, value: Chip['value'], without: Partial<MailFilter>) =>
    chips.push({ name, value, without: linkToMail({ ...filter, ...without }) });
  if (recipient) add('To', <bdi>{recipient}</bdi>, { recipient: null });
  if (state) add('State', STATES[state as MailState], { state: null });
  if (from) add('From', formatTime(from), { from: null });
  if (to) add('Until', formatTime(to), { to: null });
  return chips;
}
