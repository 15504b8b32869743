import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { WriteOutcome } from '../api/send-write.js';
import { differenceOf, type SentCall } from '../abi/sent-call.js';
import { useWaits } from '../api/preview-queries.js';
import { useTransaction } from '../api/queries.js';
import { BlockLink, TransactionLink } from '../parts/link.js';
import type { ProposedWrite } from './write.js';
import { useWriting } from './writing.js';

const HASH = /^0x[0-9a-f]{64}$/;

/** What became of a write that was sent. */
export function WriteOutcomeShown(props: { readonly write: ProposedWrite; readonly outcome: WriteOutcome }) {
  const { write, outcome } = props;
  switch (outcome.kind) {
    case 'done':
      return <Done write={write} result={outcome.result} />;
    case 'refused':
      return (
        <p className="failed">
          Refused, nothing was changed: <bdi>{outcome.message}</bdi>
        </p>
      );
    case 'unsent':
      return (
        <p className="failed">
          Not sent: <bdi>{outcome.message}</bdi>
        </p>
      );
    case 'unknown':
      return (
        <p className="stale">
          It is not known whether this takes effect: <bdi>{outcome.message}</bdi>. It is not sent again by
          itself. Look whether the change is there, and whether a transaction of the account waits, before you
          send it once more.
        </p>
      );
  }
}

function Done({ write, result }: { readonly write: ProposedWrite; readonly result: string | null }) {
  const asked = useWriting().node;
  if (result !== null && HASH.test(result))
    return <Sent node={write.at.kind === 'node' ? write.at.name : asked} hash={result} call={write.call} />;
  return (
    <p>
      <span className="badge good">done</span> {result !== null && <bdi>{result}</bdi>}
      {write.from !== undefined && write.at.kind === 'node' && (
        <Waiting node={write.at.name} account={write.from} />
      )}
    </p>
  );
}

/** Whether what the account sent waits for a block: the result of an action does not name its transaction. */
function Waiting({ node, account }: { readonly node: string; readonly account: string }) {
  const { data } = useWaits(node, account);
  useAskAgain(data === false);
  return data === false ? ' In a block.' : ' Its transaction waits for a block.';
}

/** Has the views ask again once what was sent is in a block, since records have changed with it. */
function useAskAgain(isInBlock: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (isInBlock) void client.invalidateQueries();
  }, [client, isInBlock]);
}

/** A transaction, until it is in a block. */
function Sent(props: { readonly node: string; readonly hash: string; readonly call: SentCall | undefined }) {
  const { node, hash, call } = props;
  const { data } = useTransaction(node, hash);
  const receipt = data?.receipt;
  useAskAgain(Boolean(receipt));
  const difference = data && call ? differenceOf(call, data.transaction) : undefined;
  if (difference !== undefined)
    return (
      <p className="failed">
        <TransactionLink hash={hash} /> is another call than the one that you confirmed: it differs in{' '}
        {difference}.
      </p>
    );
  return (
    <p>
      <span className="badge good">sent</span> as <TransactionLink hash={hash} />:{' '}
      {receipt ? (
        <>
          {receipt.status === 0 ? 'failed' : 'succeeded'} in block{' '}
          <BlockLink number={data?.transaction.blockNumber ?? 0} />
        </>
      ) : (
        'waits for a block'
      )}
    </p>
  );
}
