import type { RollupOperation } from '../../api/rollup-operations.js';
import { useRollupOperation } from '../../api/rollup-queries.js';
import { Facts } from '../../parts/facts.js';
import { count, counted } from '../../parts/format.js';
import { BlockLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { OperationStatus } from '../../parts/operation-status.js';
import { ReceiverLink, RollupAccountLink, tokenName } from '../../parts/rollup-links.js';
import { KIND_NAMES } from './rollup-operations.js';

/** An operation, and the batch and block that made it final. */
export function RollupOperationView({ hash }: { readonly hash: string }) {
  const query = useRollupOperation(hash);
  return (
    <>
      <h1>Rollup operation</h1>
      <Loaded query={query}>
        {(found) =>
          found === null ? (
            <p className="empty">
              The operator knows no payment, redemption or transfer out with the hash <code>{hash}</code>.
            </p>
          ) : (
            <Facts of={factsOf(found)} />
          )
        }
      </Loaded>
    </>
  );
}

function factsOf(of: RollupOperation) {
  const { hash, kind, fromAccountId, to, nonce, batchHeight, blockNumber, stateRoot } = of;
  return {
    Hash: <code>{hash}</code>,
    State: <OperationStatus of={of} />,
    Kind: KIND_NAMES[kind],
    From: fromAccountId === 0 ? 'a deposit' : <RollupAccountLink id={fromAccountId} />,
    To: <ReceiverLink to={to} />,
    Amount: `${counted(of.amount, 'units')} of ${tokenName(of.tokenId)}`,
    Nonce: count(nonce),
    Batch: batchHeight === undefined ? undefined : count(batchHeight),
    Block: blockNumber === undefined ? undefined : <BlockLink number={blockNumber} />,
    'State root': stateRoot === undefined ? undefined : <code>{stateRoot}</code>,
  };
}
