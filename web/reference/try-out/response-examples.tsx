/** Examples of the responses of an operation, by status. */
import { useState } from 'preact/hooks';
import { CodeBlock } from '../../common/code-block.tsx';
import { useDescription } from '../description/description.ts';
import type { Operation } from '../description/operations.ts';
import { formatted, getResponseExamples, isErrorStatus } from '../description/samples.ts';
import { type Json, resolveResponse } from '../description/schema.ts';
import { TabChoice } from './tab-choice.tsx';

export function ResponseExamples({ operation }: { readonly operation: Operation }) {
  const api = useDescription();
  const responses = Object.entries<Json>(operation.details.responses ?? {});
  const [status, setStatus] = useState(responses[0]?.[0] ?? '');
  const [name, setName] = useState('');
  const reference = operation.details.responses?.[status];
  if (reference === undefined) return null;
  const examples = getResponseExamples(api, status, resolveResponse(api, reference));
  const chosen = examples.find(([each]) => each === name) ?? findDefault(status, examples);
  const [shown, example] = chosen ?? ['', null];
  const statuses = Object.fromEntries(responses.map(([each]) => [each, each]));
  return (
    <CodeBlock
      label={`Response ${status}`}
      head={
        <>
          <TabChoice legend="Example response" options={statuses} value={status} onChange={setStatus} />
          {examples.length > 1 && (
            <select
              class="compact"
              aria-label={`Example of ${status}`}
              value={shown}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            >
              {examples.map(([each]) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </>
      }
      text={example === null ? 'No body' : formatted(example.value)}
    />
  );
}

/** Returns the example with the most members: callers with less access get less. */
function findDefault(status: string, examples: ReturnType<typeof getResponseExamples>) {
  if (isErrorStatus(status)) return examples[0];
  const getSize = ([, { value }]: (typeof examples)[number]) => formatted(value).length;
  return examples.toSorted((one, other) => getSize(other) - getSize(one))[0];
}
