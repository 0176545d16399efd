/** A list within a panel, whose records are removed from a row or after a selection. */
import { useState } from 'preact/hooks';
import { RecordList, type RecordListProps } from './record-list.tsx';
import type { StoredRecord } from './requests.ts';
import { type Selected, SelectionBar } from './selection.tsx';

interface RemovableListProps<T extends StoredRecord> extends RecordListProps<T> {
  /** `Revoke`; the buttons open a dialog. */
  readonly verb: string;
  readonly getName: (record: T) => string;
  readonly isChangeable: boolean;
  readonly onRemove: (records: readonly T[]) => void;
}

export function RemovableList<T extends StoredRecord>(props: RemovableListProps<T>) {
  const { verb, getName, isChangeable, onRemove, ...list } = props;
  const [selected, onSelect] = useState<Selected<T>>(new Map());
  const records = list.pages.shown?.items ?? [];
  const chosen = records.filter(({ id }) => selected.has(id));
  const label = `${verb}…`;
  const remove = {
    ...{ label, getName: (record: T) => `${verb} ${getName(record)}` },
    onStart: (record: T) => onRemove([record]),
  };
  const selection = { label: `Select all ${list.nouns[1]}`, getName, selected, onSelect };
  return (
    <>
      <RecordList
        {...list}
        {...(isChangeable && { actions: [remove] })}
        {...(isChangeable && records.length > 1 && { selection })}
        isInPanel
      />
      {chosen.length > 0 && (
        <SelectionBar
          count={chosen.length}
          actions={{ remove: label }}
          onStart={() => onRemove(chosen)}
          onClear={() => onSelect(new Map())}
        />
      )}
    </>
  );
}
