import { useState } from 'react';
import { abisFor, type KeptAbi } from '../../abi/kept-abi.js';
import { useKeptAbis } from '../../abi/kept-abis.js';
import { meaningsOfCall } from '../../abi/meanings.js';
import { readDeployment } from '../../abi/readings.js';
import { transfersOf } from '../../abi/token-transfers.js';
import { useRevertData, useTransaction } from '../../api/queries.js';
import type { Receipt, Transaction } from '../../api/shapes.js';
import { Bytes } from '../../parts/bytes.js';
import { byteLength, coins, count, counted, gwei, revertText, time } from '../../parts/format.js';
import { Facts } from '../../parts/facts.js';
import { AddressLink, BlockLink, Link } from '../../parts/link.js';
import { Loaded, reasonOf } from '../../parts/loaded.js';
import { privateKindOf } from '../../privacy/private-transactions.js';
import { CallTree } from './call-tree.js';
import { LogEntries } from './log-entries.js';
import { Readings } from '../contracts/readings.js';
import { RevertData } from '../contracts/revert-data.js';
import { TokenTransfers } from '../contracts/token-transfers.js';

export function TransactionView({ node, hash }: { readonly node: string; readonly hash: string }) {
  const query = useTransaction(node, hash);
  return (
    <Loaded query={query}>
      {(found) => (found === null ? <Missing hash={hash} /> : <Found node={node} {...found} />)}
    </Loaded>
  );
}

const Missing = ({ hash }: { readonly hash: string }) => (
  <>
    <h1>No such transaction</h1>
    <p className="empty">
      This node has no transaction <code>{hash}</code>, neither in a block nor in its pool.
    </p>
  </>
);

function Found(props: {
  readonly node: string;
  readonly transaction: Transaction;
  readonly receipt: Receipt | null;
  readonly time: number | undefined;
}) {
  const { node, transaction, receipt } = props;
  const [isTraced, setTraced] = useState(false);
  const abis = useKeptAbis();
  return (
    <>
      <h1>Transaction</h1>
      <Facts of={factsOf(transaction, receipt, props.time)} />
      <Revert node={node} transaction={transaction} receipt={receipt} abis={abis} />
      <Moved node={node} hash={transaction.hash} receipt={receipt} time={props.time} />
      <section aria-labelledby="input">
        <h2 id="input">Input</h2>
        <InputMeaning transaction={transaction} receipt={receipt} abis={abis} />
        <Bytes label="Bytes of the input">{transaction.input}</Bytes>
      </section>
      {receipt !== null && (
        <>
          <section aria-labelledby="logs">
            <h2 id="logs">Logs</h2>
            {receipt.logs.length === 0 && <p className="empty">It emitted none.</p>}
            <LogEntries logs={receipt.logs} node={node} />
          </section>
          <section aria-labelledby="calls">
            <h2 id="calls">Calls</h2>
            {isTraced ? (
              <CallTree node={node} hash={transaction.hash} />
            ) : (
              <button type="button" onClick={() => setTraced(true)}>
                Execute it again to see its calls
              </button>
            )}
          </section>
        </>
      )}
    </>
  );
}

function factsOf(transaction: Transaction, receipt: Receipt | null, minedAt: number | undefined) {
  const { hash, from, to, nonce, value, gas, gasPrice, input, blockNumber } = transaction;
  return {
    Hash: <code>{hash}</code>,
    State: <State receipt={receipt} />,
    Block: blockNumber === null || blockNumber === undefined ? undefined : <BlockLink number={blockNumber} />,
    Time: minedAt === undefined ? undefined : time(minedAt),
    From: <AddressLink address={from} isWhole />,
    To: to === null || to === undefined ? undefined : <AddressLink address={to} isWhole />,
    'Created contract': receipt?.contractAddress ? (
      <AddressLink address={receipt.contractAddress} isWhole />
    ) : undefined,
    Value: coins(value),
    Nonce: count(nonce),
    Gas: receipt === null ? `limit ${count(gas)}` : `${count(receipt.gasUsed)} of ${count(gas)}`,
    'Gas price': gasPrice === null || gasPrice === undefined ? undefined : gwei(gasPrice),
    Privacy: privacyOf(transaction),
    Input: counted(byteLength(input), 'bytes'),
  };
}

function privacyOf(transaction: Transaction) {
  const kind = privateKindOf(transaction);
  if (kind === undefined) return undefined;
  return (
    <>
      {kind === 'private'
        ? 'private: the input is the hash of a payload that only its parties have'
        : 'a privacy marker: it stands for a private transaction'}
      . <Link to={`/privacy/${transaction.hash}`}>What nodes have of it</Link>
    </>
  );
}

function State({ receipt }: { readonly receipt: Receipt | null }) {
  if (receipt === null) return <span className="badge warn">waits in the pool</span>;
  if (receipt.status === 1) return <span className="badge good">succeeded</span>;
  if (receipt.status === null || receipt.status === undefined) return <span className="badge">mined</span>;
  const text = receipt.revertReason ? revertText(receipt.revertReason) : undefined;
  return (
    <span className="badge bad">
      failed{text === undefined ? '' : ': '}
      <bdi>{text}</bdi>
    </span>
  );
}

interface Sent {
  readonly transaction: Transaction;
  readonly receipt: Receipt | null;
  readonly abis: readonly KeptAbi[];
}

/** What tokens say that the transaction moved. */
function Moved(props: {
  readonly node: string;
  readonly hash: string;
  readonly receipt: Receipt | null;
  readonly time: number | undefined;
}) {
  const { node, hash, receipt, time: minedAt = 0 } = props;
  const transfers = transfersOf(receipt?.logs ?? []).map((one) => ({ ...one, hash, time: minedAt }));
  if (transfers.length === 0) return null;
  return (
    <section aria-labelledby="moved">
      <h2 id="moved">Tokens moved</h2>
      <TokenTransfers caption="As the tokens say" node={node} transfers={transfers} isOfOne />
    </section>
  );
}

/** The error that it reverted with, by the ABI files of the contract that was called, and by standards. */
function Revert({ node, transaction, receipt, abis }: Sent & { readonly node: string }) {
  const isAsked = receipt?.status === 0 && !receipt.revertReason;
  const asked = useRevertData(node, transaction.hash, isAsked);
  if (receipt?.status !== 0) return null;
  const data = receipt.revertReason ?? asked.data;
  return (
    <section aria-labelledby="revert">
      <h2 id="revert">Reverted with</h2>
      {data === undefined ? (
        <p className="empty">
          {asked.error === null ? (
            'Loading…'
          ) : (
            <>
              Not known: <bdi>{reasonOf(asked.error)}</bdi>.
            </>
          )}
        </p>
      ) : (
        <RevertData data={data} abis={abisFor(abis, transaction.to ?? undefined)} />
      )}
    </section>
  );
}

function InputMeaning({ transaction: { to, input, v }, receipt, abis }: Sent) {
  if (input === '0x') return null;
  // What is in such a transaction is the hash of its payload.
  if (privateKindOf({ v, to }) !== undefined) return null;
  if (!to) {
    if (abis.length === 0) return null;
    const created = receipt?.contractAddress ?? undefined;
    return (
      <Readings
        of={readDeployment(abisFor(abis, created), input)}
        none="No ABI file has the code that this creates."
      />
    );
  }
  return (
    <Readings
      of={meaningsOfCall(abisFor(abis, to), input)}
      none={
        abis.length === 0
          ? undefined
          : 'No ABI file that is used for the contract has a function of this selector.'
      }
    />
  );
}
