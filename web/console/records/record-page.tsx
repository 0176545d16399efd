/** The page of a record, also of one that is not there (any more), or could not be loaded. */
import type { ComponentChildren, ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { capitalize, Failure, Loading, ViewHeading } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { Link, type LinkProps } from '../../common/router.tsx';
import type { Loaded } from '../../common/use-load.ts';
import { useData } from '../session.ts';
import type { PageSection, RecordKind } from './requests.ts';

/** The list of such records. */
interface BackTarget extends Pick<LinkProps, 'to' | 'state'> {
  /** In the plural: `webhooks`. */
  readonly name: string;
}

/** Returns the view of a record of this kind: its page, if the record is there. */
export function recordView<T>(records: RecordKind, Page: ComponentType<PageSection<T>>) {
  return ({ id }: { readonly id: string }) => (
    <RecordPage<T> records={records} id={id}>
      {(section) => <Page {...section} />}
    </RecordPage>
  );
}

interface RecordPageProps<T> {
  readonly records: RecordKind;
  readonly id: string;
  readonly children: (section: PageSection<T>) => ComponentChildren;
}

export function RecordPage<T>({ records: { noun, list, pathTo }, id, children }: RecordPageProps<T>) {
  const [revision, setRevision] = useState(0);
  const [loaded, retry] = useData<T>(pathTo(id), revision);
  const record = loaded.data;
  if (record === undefined || isNotFound(loaded)) return <MissingRecord {...{ noun, list, loaded, retry }} />;
  return (
    <>
      {loaded.state === 'failed' && (
        <Failure what={`The ${noun} could not be loaded`} error={loaded.error} retry={retry} />
      )}
      {children({ record, revision, onChange: () => setRevision((count) => count + 1) })}
    </>
  );
}

interface MissingRecordProps {
  /** Noun for the record: `webhook`. */
  readonly noun: string;
  readonly list: BackTarget;
  readonly loaded: Loaded<unknown>;
  readonly retry: () => void;
}

/** Rendered while there is no record to show. */
export function MissingRecord({ noun, list, loaded, retry }: MissingRecordProps) {
  const { name, ...target } = list;
  const title = `${capitalize(noun)} not found`;
  if (isNotFound(loaded))
    return (
      <div class="stack tight">
        <ViewHeading title={title}>{title}</ViewHeading>
        <p>There is no {noun} with the id of this address: it was deleted, or the address is not complete.</p>
        <p>
          <Link {...target}>Go to the {name}</Link>
        </p>
      </div>
    );
  return (
    <div class="stack tight">
      <BackLink {...list} />
      {loaded.state === 'failed' ? (
        <>
          <ViewHeading title="Not loaded">{capitalize(noun)}</ViewHeading>
          <Failure what={`The ${noun} could not be loaded`} error={loaded.error} retry={retry} />
        </>
      ) : (
        <Loading what={`the ${noun}`} />
      )}
    </div>
  );
}

/** Whether the record is not there: it may have been deleted while it was shown. */
export function isNotFound(loaded: Loaded<unknown>): boolean {
  return loaded.state === 'failed' && loaded.error.status === 404;
}

/** Leads from a record to its list. */
export function BackLink({ name, ...target }: BackTarget) {
  return (
    <Link class="crumb" aria-label={`Back to ${name}`} {...target}>
      <Icon name="back" /> {capitalize(name)}
    </Link>
  );
}
