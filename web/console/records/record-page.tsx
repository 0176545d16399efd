/** The page of a record that is not there (any more), or could not be loaded. */
import { capitalize } from '../../common/capitalize.ts';
import { Failure, Loading, ViewHeading } from '../../common/components.tsx';
import { Icon } from '../../common/icon.tsx';
import { Link, type LinkProps } from '../../common/router.tsx';
import type { Loaded } from '../../common/use-load.ts';

/** The list of such records. */
export interface RecordList extends Pick<LinkProps, 'to' | 'state'> {
  /** In the plural: `webhooks`. */
  readonly name: string;
}

interface MissingRecordProps {
  /** Noun for the record: `webhook`. */
  readonly noun: string;
  readonly list: RecordList;
  readonly loaded: Loaded<unknown>;
  readonly retry: () => void;
}

/** Rendered while there is no record to show. */
export function MissingRecord(props: MissingRecordProps) {
  const { noun, list, loaded, retry } = props;
  if (isNotFound(loaded)) return <NotFound {...props} />;
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

function NotFound({ noun, list: { name, ...target } }: MissingRecordProps) {
  const title = `${capitalize(noun)} not found`;
  return (
    <div class="stack tight">
      <ViewHeading title={title}>{title}</ViewHeading>
      <p>There is no {noun} with the id of this address: it was deleted, or the address is not complete.</p>
      <p>
        <Link {...target}>Go to the {name}</Link>
      </p>
    </div>
  );
}

/** Leads from a record to its list. */
export function BackLink({ name, ...target }: RecordList) {
  return (
    <Link class="crumb" aria-label={`Back to ${name}`} {...target}>
      <Icon name="back" /> {capitalize(name)}
    </Link>
  );
}
