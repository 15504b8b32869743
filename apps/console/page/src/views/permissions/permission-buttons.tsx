import type { EntryAction } from '../../permissions/permission-actions.js';
import { permissionWrite, type Sender } from '../../permissions/permission-write.js';
import { WriteButton } from '../../writes/write-button.js';
import { ChangeEffect } from './change-effect.js';

/**
 * Buttons of the actions on one entry.
 * @param props.by - undefined where the node holds no account to sign with
 */
export function PermissionButtons(props: {
  readonly by: Sender | undefined;
  readonly actions: readonly EntryAction[];
}) {
  const { by, actions } = props;
  if (by === undefined) return null;
  return (
    <span className="inline">
      {actions.map(({ label, title, call, change, effect }) => (
        <WriteButton
          key={label}
          label={label}
          write={permissionWrite(by, title, call)}
          effect={<ChangeEffect node={by.node} text={effect} change={change} />}
        />
      ))}
    </span>
  );
}
