import type { ReactNode } from 'react';
import type { Inspection } from '../../api/privacy-shapes.js';
import { actionsOn, extensionWrite, type ExtensionAction } from '../../privacy/extension-write.js';
import { WriteButton } from '../../writes/write-button.js';

type Extension = Inspection['extensions'][number];

const LABELS: Readonly<Record<ExtensionAction, string>> = {
  approve: 'Approve',
  decline: 'Decline',
  cancel: 'Cancel it',
};

/** What the node may do about an extension: approve or decline it as the recipient, cancel it as the initiator. */
export function ExtensionActions(props: { readonly node: string; readonly extension: Extension }) {
  const { node, extension } = props;
  return (
    <p className="inline">
      {actionsOn(extension).map((action) => {
        const write = extensionWrite(node, action, extension);
        if (write === undefined)
          return <span key={action}>This node does not know the key of the node that it would answer.</span>;
        return (
          <WriteButton
            key={action}
            label={LABELS[action]}
            write={write}
            effect={EFFECTS[action](extension)}
          />
        );
      })}
    </p>
  );
}

const EFFECTS: Readonly<Record<ExtensionAction, (extension: Extension) => ReactNode>> = {
  approve: ({ heard = [] }) => (
    <>
      {heard.some(({ answer }) => answer === 'contradicted') && (
        <p className="failed">
          A party contradicts the state that the initiator states. The node refuses such a state.
        </p>
      )}
      <p>
        A vote cannot be taken back. When the initiator has voted too, its node shares the code and the
        storage of the contract, and this node is a party from then on. Earlier transactions are not shared.
      </p>
    </>
  ),
  decline: () => <p>The extension ends, and nothing is shared. The initiator may begin another.</p>,
  cancel: () => (
    <p>The extension ends, and nothing is shared, unless the recipient’s vote is in a block before this.</p>
  ),
};
