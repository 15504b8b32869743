import type { RollupOperation } from '../api/rollup-operations.js';

/** `BALANCE_TOO_LOW` as people write it. */
const words = (constant: string) => constant.toLowerCase().replaceAll('_', ' ');

/** How far an operation has come. */
export function OperationStatus({ of }: { readonly of: RollupOperation }) {
  const { status, rejectionReason, blockNumber } = of;
  if (status === 'REJECTED')
    return (
      <span className="badge bad">
        rejected{rejectionReason === undefined ? '' : `: ${words(rejectionReason)}`}
      </span>
    );
  if (status === 'PENDING') return <span className="badge warn">waits</span>;
  if (blockNumber !== undefined) return <span className="badge good">final</span>;
  return <span className="badge">{words(status)}</span>;
}
