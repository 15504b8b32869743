import { useState, type FormEvent } from 'react';
import type { OrgDetails } from '../../api/permission-shapes.js';
import { isolated } from '../../parts/format.js';
import type { ActionField, Entered, PermissionAction } from '../../permissions/permission-actions.js';
import { shownId } from '../../permissions/permission-ids.js';
import { accessInWords, type PermissionModel } from '../../permissions/permission-words.js';
import { permissionWrite, type Sender } from '../../permissions/permission-write.js';
import { useWriting } from '../../writes/writing.js';
import { ChangeEffect } from './change-effect.js';

/** Choices of a list; longer ones are entered elsewhere. */
const MAX_CHOICES = 1_000;
const ADDRESS = '0x[0-9a-fA-F]{40}';

/** What the fields can be chosen from. */
export interface Choices {
  readonly orgId: string;
  readonly details: OrgDetails;
  readonly model: PermissionModel | undefined;
}

/** A form of the actions that the reader may have written; nothing when there are none. */
export function ActionForm(props: {
  readonly by: Sender | undefined;
  readonly actions: readonly PermissionAction[];
  readonly choices: Choices;
}) {
  const { by, choices } = props;
  const { writes, propose } = useWriting();
  const actions = props.actions.filter(({ name }) => writes.node.includes(`chainPermission_${name}`));
  const [name, setName] = useState('');
  const action = actions.find((one) => one.name === name) ?? actions[0];
  if (by === undefined || action === undefined) return null;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = enteredIn(event.currentTarget, action.fields);
    const params = action.paramsOf(entered, choices.orgId);
    const change = action.previewedAs === undefined ? undefined : { name: action.previewedAs, params };
    propose(
      permissionWrite(by, action.title, { name: action.name, params }),
      <ChangeEffect node={by.node} text={action.effect} change={change} />,
    );
  };
  return (
    <form className="question" onSubmit={submit} aria-label={actions.length > 1 ? 'Change' : action.title}>
      {actions.length > 1 && (
        <label>
          Change{' '}
          <select value={action.name} onChange={({ target }) => setName(target.value)}>
            {actions.map((one) => (
              <option key={one.name} value={one.name}>
                {one.title}
              </option>
            ))}
          </select>
        </label>
      )}
      {action.fields.map((field) => (
        <Field key={`${action.name} ${field.name}`} field={field} choices={choices} />
      ))}
      <button type="submit">{action.title}…</button>
    </form>
  );
}

function enteredIn(form: HTMLFormElement, fields: readonly ActionField[]): Entered {
  const data = new FormData(form);
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = data.get(name);
      if (kind === 'flag') return [name, value !== null];
      const text = typeof value === 'string' ? value.trim() : '';
      // Ids that are chosen are taken as they are: they may begin with a space.
      if (kind === 'role') return [name, typeof value === 'string' ? value : ''];
      return [name, kind === 'account' ? text.toLowerCase() : text];
    }),
  );
}

function Field({ field, choices }: { readonly field: ActionField; readonly choices: Choices }) {
  const { name, label, kind, isOptional } = field;
  if (kind === 'flag')
    return (
      <label>
        {label} <input type="checkbox" name={name} />
      </label>
    );
  const options = optionsOf(kind, choices);
  return (
    <label>
      {label}{' '}
      {options === undefined ? (
        <input
          {...{ type: 'text', name, required: isOptional !== true, autoComplete: 'off' }}
          {...(kind === 'account' ? { pattern: ADDRESS, title: '0x and 40 hex digits' } : {})}
        />
      ) : (
        <select className="whole" name={name} required>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </label>
  );
}

/** Values and texts to choose from; undefined for what is entered. */
function optionsOf(kind: ActionField['kind'], { details, model }: Choices): [string, string][] | undefined {
  switch (kind) {
    case 'role':
      return details.roleList
        .filter(({ active }) => active)
        .slice(0, MAX_CHOICES)
        .map(({ roleId }) => [roleId, isolated(shownId(roleId))]);
    case 'known account':
      return details.acctList.slice(0, MAX_CHOICES).map(({ acctId }) => [acctId, acctId]);
    case 'access':
      return Array.from(
        { length: model === 'v1' ? 4 : 8 },
        (_, access) => [String(access), accessInWords(access, model)] as const,
      );
    case 'text':
    case 'account':
    case 'flag':
      return undefined;
  }
}
