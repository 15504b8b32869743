import type { Network } from './api/shapes.js';
import { Link } from './parts/link.js';
import type { View } from './paths.js';
import type { ServiceView } from './service-paths.js';
import { RollupAccountView } from './views/rollup/rollup-account-view.js';
import { RollupOperationView } from './views/rollup/rollup-operation-view.js';
import { RollupView } from './views/rollup/rollup-view.js';
import { SigningView } from './views/signing/signing-view.js';

/** Links to the views of services that the network has. */
export function ServiceLinks({ network, view }: { readonly network: Network; readonly view: View }) {
  return (
    <>
      {network.rollup !== null && (
        <Link to="/rollup" isCurrent={view.kind === 'rollup'}>
          Rollup
        </Link>
      )}
      {(network.hasSigner || network.hasWallet) && (
        <Link to="/signing" isCurrent={view.kind === 'signing'}>
          Signing
        </Link>
      )}
    </>
  );
}

export function ServiceShown(props: {
  readonly view: ServiceView;
  readonly network: Network;
  readonly node: string;
}) {
  const { view, network, node } = props;
  if (view.kind === 'signing') return <SigningView network={network} />;
  if (network.rollup === null)
    return (
      <>
        <h1>Rollup</h1>
        <p className="empty">The endpoints file names no rollup operator.</p>
      </>
    );
  switch (view.kind) {
    case 'rollup':
      return <RollupView node={node} contract={network.rollup.contract} />;
    case 'rollupAccount':
      return <RollupAccountView id={Number(view.id)} />;
    case 'rollupOperation':
      return <RollupOperationView hash={view.id} />;
  }
}
