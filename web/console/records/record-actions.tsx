/** Actions on records, as data: their buttons, and the dialogs that they open. */
import type { ComponentChildren, ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { Button, type ButtonProps, Failure } from '../../common/components.tsx';
import { ConfirmDialog, type ConfirmDialogProps } from '../../common/confirm-dialog.tsx';
import type { IconName } from '../../common/icon.tsx';
import { navigate } from '../../common/router.tsx';
import { useAction } from '../../common/use-action.ts';
import { announce } from '../status.tsx';
import { Dropdown } from './controls.tsx';
import type { Section, StoredRecord } from './requests.ts';

export interface RecordDialogProps<T> extends Section<T> {
  readonly onClose: () => void;
}

export interface RecordAction<T> {
  readonly label: string | ((record: T) => string);
  /** Classes of the button. */
  readonly class?: string;
  /** Returns the name of the button for screen readers, if the label does not name the record. */
  readonly getName?: (record: T) => string;
  readonly isShown?: (record: T) => boolean;
  readonly isDisabled?: (record: T) => boolean;
  /** Opened by the action. */
  readonly Dialog?: ComponentType<RecordDialogProps<T>>;
  /** Runs an action without a dialog. */
  readonly run?: (section: Section<T>) => Promise<unknown>;
  /** Starts an action of the page, such as one on several records. */
  readonly onStart?: (record: T) => void;
}

interface OpenDialog<T> {
  readonly record: T;
  readonly Dialog: ComponentType<RecordDialogProps<T>>;
}

/**
 * Returns a function that renders the buttons of a record, and what an action shows: its dialog or its error.
 * @param records as they are now: the dialog of a record that was loaded again has its new version
 */
export function useRecordActions<T extends StoredRecord>(
  records: readonly T[],
  onChange: () => void,
  failure = '',
) {
  const [open, setOpen] = useState<OpenDialog<T> | null>(null);
  const { isBusy, error, run } = useAction();
  const start = (record: T, { Dialog, run: act, onStart }: RecordAction<T>) => {
    if (Dialog) setOpen({ record, Dialog });
    if (act) void run(() => act({ record, onChange }));
    onStart?.(record);
  };
  const renderButtons = (record: T, actions: readonly RecordAction<T>[]) =>
    listShown(record, actions).map((action) => {
      const { label, class: classes = '', getName, isDisabled } = action;
      const text = typeof label === 'string' ? label : label(record);
      return (
        <Button
          key={text}
          text={text}
          class={classes}
          aria-label={getName?.(record)}
          aria-busy={action.run && isBusy}
          disabled={isDisabled?.(record)}
          onClick={() => start(record, action)}
        />
      );
    });
  const present = open && (records.find(({ id }) => id === open.record.id) ?? open.record);
  const result = (
    <>
      {error && <Failure what={failure} error={error} />}
      {open && <open.Dialog record={present!} onChange={onChange} onClose={() => setOpen(null)} />}
    </>
  );
  return { renderButtons, result };
}

const listShown = <T,>(record: T, actions: readonly RecordAction<T>[]) =>
  actions.filter(({ isShown }) => isShown?.(record) ?? true);

interface RecordActionsProps<T> extends Section<T> {
  readonly actions: readonly RecordAction<T>[];
  /** Rarer actions. */
  readonly menu?: readonly RecordAction<T>[];
  readonly menuIcon?: IconName;
  /** Headline of the error of an action without a dialog. */
  readonly failure?: string;
  /** Controls before the buttons. */
  readonly children?: ComponentChildren;
}

/** The buttons of a page: usual actions, and a menu of the rarer ones. */
export function RecordActions<T extends StoredRecord>(props: RecordActionsProps<T>) {
  const { record, onChange, actions, menu = [], menuIcon = 'dots', failure, children } = props;
  const { renderButtons, result } = useRecordActions([record], onChange, failure);
  return (
    <div class="row">
      {children}
      {renderButtons(record, actions)}
      {listShown(record, menu).length > 0 && (
        <Dropdown icon={menuIcon} label="More">
          <div class="menu">{renderButtons(record, menu)}</div>
        </Dropdown>
      )}
      {result}
    </div>
  );
}

interface ConfirmActionProps extends Omit<ConfirmDialogProps, 'onConfirm'> {
  readonly act: () => Promise<unknown>;
  /** The message afterwards. */
  readonly done: string;
  /** The view that is shown afterwards, if another one. */
  readonly to?: string;
  readonly onChange: () => void;
}

/** Acts after a confirmation, says so, and loads what the page shows again. */
export function ConfirmAction({ act, done, to, onChange, ...dialog }: ConfirmActionProps) {
  const confirm = async () => {
    await act();
    if (to !== undefined) navigate(to);
    announce(done);
    if (to !== undefined) return;
    onChange();
    dialog.onClose();
  };
  return <ConfirmDialog {...dialog} onConfirm={confirm} />;
}

interface ActionButtonProps extends Pick<ButtonProps, 'text' | 'class' | 'disabled' | 'title'> {
  /** Headline of the error. */
  readonly failure: string;
  readonly run: () => Promise<unknown>;
}

/** A button that acts at once, and shows the error of the last time. */
export function ActionButton({ failure, run, ...button }: ActionButtonProps) {
  const action = useAction();
  return (
    <>
      <Button {...button} aria-busy={action.isBusy} onClick={() => action.run(run)} />
      {action.error && <Failure what={failure} error={action.error} />}
    </>
  );
}
