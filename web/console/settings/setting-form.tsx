/** Changes one setting in its place. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Setting } from '../../common/api-types.ts';
import { Button } from '../../common/components.tsx';
import { type Action, ActionForm, Labelled, Submit, useAction } from '../../common/form.tsx';
import { type ChangeSetting, LOGO, readDataUrl } from './change-setting.ts';
import { ValueField } from './value-field.tsx';

interface SettingFormProps {
  readonly setting: Setting;
  readonly change: ChangeSetting;
  readonly onClose: () => void;
}

export function SettingForm({ setting, change, onClose }: SettingFormProps) {
  const { name, title, source, value } = setting;
  const [text, setText] = useState(name === LOGO ? '' : (value ?? ''));
  const action = useAction();
  const place = useFocusedForm();
  const submit = (next: string | null) => change(setting, next).then(onClose);
  return (
    <div ref={place}>
      <ActionForm
        action={action}
        onSubmit={() => submit(text)}
        failure={`${title} was not changed`}
        fields={[name]}
        class="stack tight"
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      >
        {name === LOGO ? (
          <LogoField onText={setText} errors={action.error?.errors[name] ?? []} />
        ) : (
          <ValueField setting={setting} text={text} onText={setText} error={action.error} />
        )}
        <Buttons
          action={action}
          onReset={source === 'database' ? () => submit(null) : null}
          onClose={onClose}
        />
      </ActionForm>
    </div>
  );
}

/** Focuses the first field. Returns the ref of the element around it. */
function useFocusedForm() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.querySelector<HTMLElement>('input:not(:disabled), select')?.focus();
  }, []);
  return place;
}

interface ButtonsProps {
  readonly action: Action;
  /** Null if the default applies. */
  readonly onReset: (() => Promise<void>) | null;
  readonly onClose: () => void;
}

function Buttons({ action, onReset, onClose }: ButtonsProps) {
  return (
    <div class="row">
      <Submit text="Save" action={action} class="primary compact" />
      {onReset && <Button text="Reset to default" class="compact" onClick={() => void action.run(onReset)} />}
      <Button text="Cancel" class="plain compact" onClick={onClose} />
    </div>
  );
}

interface LogoFieldProps {
  readonly onText: (text: string) => void;
  readonly errors: readonly string[];
}

function LogoField({ onText, errors }: LogoFieldProps) {
  const choose = async (file: File | undefined) => onText(file === undefined ? '' : await readDataUrl(file));
  return (
    <Labelled label="Image" hint="PNG, at most 64 KiB and 1,024 × 1,024 pixels." errors={errors}>
      {(attributes) => (
        <input
          {...attributes}
          type="file"
          accept="image/png"
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
      )}
    </Labelled>
  );
}
