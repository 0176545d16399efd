/** The request of an operation as code, its example bodies, and the form that tries it out. */
import { useMemo, useState } from 'preact/hooks';
import { CodeBlock } from '../../common/code-block.tsx';
import { useDescription } from '../description/description.ts';
import { getName, type Operation } from '../description/operations.ts';
import { requestExamples } from '../description/samples.ts';
import { LANGUAGES, toSample } from './code-samples.ts';
import { credentialFor } from './credentials.ts';
import { type Draft, toForm } from './draft.ts';
import { LanguageChoice, language } from './language-choice.tsx';
import { toRequest } from './request.ts';
import { ResponseExamples } from './response-examples.tsx';
import { TryOut } from './try-out.tsx';

export function Examples({ operation }: { readonly operation: Operation }) {
  const api = useDescription();
  const form = useMemo(() => toForm(api, operation), [api, operation]);
  const [draft, setDraft] = useState<Draft>(form.initial);
  const [isOpen, setOpen] = useState(false);
  const { access } = operation;
  const credential = credentialFor(access);
  const request = toRequest(operation, form, draft);
  return (
    <div class="examples">
      <CodeBlock
        label={LANGUAGES[language.value]}
        head={<LanguageChoice />}
        {...toSample(language.value, request, { access, credential })}
      />
      {!isOpen &&
        requestExamples(api, operation)
          .slice(1)
          .map(({ label, text }) => <CodeBlock label={label} text={text} />)}
      <ResponseExamples operation={operation} />
      <details
        class={isOpen ? 'try panel body' : 'try'}
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>
          <span class={isOpen ? undefined : 'button primary'}>Try it</span>
          <span class="visually-hidden">: {getName(operation)}</span>
          {!isOpen && <small>Sends a real request to this instance</small>}
        </summary>
        {isOpen && (
          <TryOut
            operation={operation}
            form={form}
            draft={draft}
            request={request}
            credential={credential}
            onChange={setDraft}
          />
        )}
      </details>
    </div>
  );
}
