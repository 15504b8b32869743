import { useState } from 'react';
import { useAccount, useTransaction } from '../api/queries.js';
import type { Transaction } from '../api/shapes.js';
import { count } from '../parts/format.js';
import { AddressLink, TransactionLink } from '../parts/link.js';
import { Loaded } from '../parts/loaded.js';
import type { SendOutcome, WalletCall } from '../wallet/wallet-requests.js';

interface Sending {
  readonly node: string;
  readonly call: WalletCall;
}

/** How far a call is that a wallet was asked to send. In: outcome — undefined until the wallet answers */
export function SendingState({
  node,
  call,
  outcome,
}: Sending & { readonly outcome: SendOutcome | undefined }) {
  if (outcome === undefined)
    return (
      <div role="status">
        <p>The wallet is asked. Confirm or reject the call there.</p>
        <Nonce node={node} call={call} />
      </div>
    );
  switch (outcome.kind) {
    case 'refused':
      return (
        <p className="failed" role="alert">
          Nothing was sent: <bdi>{outcome.message}</bdi>
        </p>
      );
    case 'unknown':
      return (
        <div className="failed" role="alert">
          <p>
            It is not known whether the call was sent: <bdi>{outcome.message}</bdi>
          </p>
          <Nonce node={node} call={call} />
        </div>
      );
    case 'sent':
      return <Sent node={node} call={call} hash={outcome.hash} />;
  }
}

/** By the nonce a reader sees whether something was sent. */
function Nonce({ node, call }: Sending) {
  const { data } = useAccount(node, call.from);
  const [before, setBefore] = useState<number>();
  if (before === undefined && data !== undefined) setBefore(data.nonce);
  if (data === undefined || before === undefined) return null;
  return (
    <p>
      Before you send again, look at the nonce of <AddressLink address={call.from} />: it was {count(before)}{' '}
      at first, and is {count(data.nonce)} now. If it has grown, a transaction of the account was mined.
    </p>
  );
}

function Sent({ node, call, hash }: Sending & { readonly hash: string }) {
  const query = useTransaction(node, hash);
  return (
    <div role="status">
      <p>
        The wallet says that it sent <TransactionLink hash={hash} whole />.
      </p>
      <Loaded query={query}>
        {(found) => {
          if (found === null) return <p className="empty">This node does not know it yet.</p>;
          const other = differenceOf(call, found.transaction);
          if (other !== undefined)
            return (
              <p className="failed">
                It is another call than the one that you confirmed: it differs in {other}.
              </p>
            );
          const { receipt } = found;
          if (receipt === null) return <p>It is the call that you confirmed, and waits for a block.</p>;
          return receipt.status === 0 ? (
            <p className="failed">It is the call that you confirmed. It was mined, and failed.</p>
          ) : (
            <p>It is the call that you confirmed. It was mined, and succeeded.</p>
          );
        }}
      </Loaded>
    </div>
  );
}

/** What of a transaction is not as it was confirmed; the wallet chooses nonce and gas. */
function differenceOf(call: WalletCall, { from, to, input, value }: Transaction): string | undefined {
  if (from.toLowerCase() !== call.from.toLowerCase()) return 'its sender';
  if (to?.toLowerCase() !== call.to.toLowerCase()) return 'its recipient';
  if (input.toLowerCase() !== call.data.toLowerCase()) return 'its data';
  return value === call.value ? undefined : 'its value';
}
