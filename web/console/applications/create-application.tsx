/** Creates an application, and shows its secret once. */
import type { NewApplication } from '../../common/api-types.ts';
import { ActionForm, DialogButtons } from '../../common/form.tsx';
import { navigate } from '../../common/router.tsx';
import { useAction } from '../../common/use-action.ts';
import { type CreateForm, CreateRecord } from '../records/create-record.tsx';
import { announce } from '../status.tsx';
import { ApplicationFields } from './form.tsx';
import { API_PATH, APPLICATIONS } from './record.ts';
import { CreatedApplication } from './secret.tsx';
import { FIELDS, toBody, useTyped } from './typed.ts';

export function CreateApplication({ onCreated }: { readonly onCreated: () => void }) {
  const finish = ({ id, name }: NewApplication) => {
    navigate(`${APPLICATIONS}/${id}`);
    announce(`The application ${name} was created. Its page has the settings for your program.`);
  };
  return (
    <CreateRecord<NewApplication>
      verb="Create application"
      path={API_PATH}
      form={(form) => <NewForm {...form} />}
      getTitle={({ name, client_secret }) =>
        client_secret ? `The secret of ${name}` : `${name} was created`
      }
      result={(created, onClose) => <CreatedApplication application={created} onClose={onClose} />}
      canEscape={({ client_secret }) => client_secret === null}
      onCreated={onCreated}
      onFinished={finish}
    />
  );
}

function NewForm({ onSubmit, onClose }: CreateForm) {
  const [typed, change] = useTyped(null);
  const action = useAction();
  const create = () => onSubmit({ ...toBody(typed), kind: typed.kind });
  return (
    <ActionForm action={action} onSubmit={create} failure="The application was not created" fields={FIELDS}>
      <ApplicationFields typed={typed} onTyped={change} action={action} isNew />
      <DialogButtons onClose={onClose} action={action}>
        Create application
      </DialogButtons>
    </ActionForm>
  );
}
