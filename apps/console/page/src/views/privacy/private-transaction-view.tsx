import { useSeenTransactions, type Seen, type SeenTransaction } from '../../api/privacy-queries.js';
import type { PrivateTransaction, RestrictedReceipt } from '../../api/privacy-shapes.js';
import type { Network, Receipt, Transaction } from '../../api/shapes.js';
import { abisFor } from '../../abi/kept-abi.js';
import { useKeptAbis } from '../../abi/kept-abis.js';
import { useTransaction } from '../../api/queries.js';
import { count, revertText, time } from '../../parts/format.js';
import { Facts } from '../../parts/facts.js';
import { AddressLink, BlockLink, Link, TransactionLink } from '../../parts/link.js';
import { PrivacyLink } from '../../parts/privacy-link.js';
import { privateKindOf } from '../../privacy/private-transactions.js';
import { TransactionAgreement } from './agreement.js';
import { Keys } from './keys.js';
import { RevertData } from '../contracts/revert-data.js';
import { LogEntries } from '../chain/log-entries.js';
import { ChooseBeside, Sides, useSides } from './sides.js';

/** The receipts of a transaction at two nodes: what the chain has, and what each has of its private part. */
export function PrivateTransactionView(props: {
  readonly network: Network;
  readonly node: string;
  readonly hash: string;
}) {
  const { network, node, hash } = props;
  const names = useSides(network, node);
  const queries = useSeenTransactions(names, hash);
  const { data: mined } = useTransaction(node, hash);
  const height = mined?.transaction.blockNumber ?? undefined;
  return (
    <>
      <nav aria-label="Privacy" className="pages">
        <Link to="/privacy">Privacy</Link>
      </nav>
      <h1>Private transaction</h1>
      <Facts
        of={{
          Transaction: <TransactionLink hash={hash} whole />,
          Block: height === undefined ? undefined : <BlockLink number={height} />,
          Time: mined?.time === undefined ? undefined : time(mined.time),
        }}
      />
      <ChooseBeside network={network} sides={names} path={`/privacy/${hash}`} />
      <Sides names={names} queries={queries}>
        {(seen, name) => (
          <>
            <Side seen={seen} />
            <TransactionAgreement node={name} hash={hash} />
          </>
        )}
      </Sides>
    </>
  );
}

function Side({ seen }: { readonly seen: SeenTransaction }) {
  const { transaction, receipt } = seen;
  if (transaction === null) return <p className="empty">This node has no such transaction.</p>;
  const kind = privateKindOf(transaction);
  return (
    <>
      <h3>{kind === 'private' ? 'Receipt' : 'Public receipt'}</h3>
      <Facts of={{ Kind: KINDS[kind ?? 'public'], From: <AddressLink address={transaction.from} /> }} />
      <ReceiptFacts of={receipt} to={transaction.to} missing="It is in no block yet." />
      {kind === 'private' && <ContractOf transaction={transaction} receipt={receipt} />}
      {kind === 'marker' && (
        <>
          <h3>Behind the marker</h3>
          <Behind seen={seen} />
        </>
      )}
    </>
  );
}

const KINDS = {
  public: 'public: the same at every node',
  private: 'private: parties have what it did, others an empty receipt',
  marker: 'privacy marker: the transaction behind it is known to its parties',
} as const;

/** @param props.to - the contract that was called */
function ReceiptFacts(props: {
  readonly of: Seen<Receipt>;
  readonly to: string | null | undefined;
  readonly missing: string;
}) {
  const { of, to, missing } = props;
  if ('refused' in of) return <Refused text={of.refused} />;
  if (of.value === null) return <p className="empty">{missing}</p>;
  const { status, gasUsed, contractAddress, logs, revertReason } = of.value;
  return (
    <>
      <Facts
        of={{
          Status: <Status status={status} />,
          Reason: revertReason ? <Reason data={revertReason} to={to ?? undefined} /> : undefined,
          'Gas used': count(gasUsed),
          'Created contract': contractAddress ? <PrivacyLink id={contractAddress} /> : undefined,
          Logs: count(logs.length),
        }}
      />
      <FoldedLogs logs={logs} />
    </>
  );
}

/** The text of `Error(string)`, otherwise what the data means by standards and ABI files. */
function Reason({ data, to }: { readonly data: string; readonly to: string | undefined }) {
  const abis = useKeptAbis();
  const text = revertText(data);
  return text === undefined ? <RevertData data={data} abis={abisFor(abis, to)} /> : <bdi>{text}</bdi>;
}

const FoldedLogs = ({ logs }: Pick<Receipt, 'logs'>) =>
  logs.length === 0 ? null : (
    <details>
      <summary>What it logged</summary>
      <LogEntries logs={logs} />
    </details>
  );

function Status({ status }: Pick<Receipt, 'status'>) {
  if (status === null || status === undefined) return <span className="badge">mined</span>;
  return (
    <span className={`badge ${status === 1 ? 'good' : 'bad'}`}>{status === 1 ? 'succeeded' : 'failed'}</span>
  );
}

const Refused = ({ text }: { readonly text: string }) => (
  <p className="stale">
    The node refuses to say: <bdi>{text}</bdi>
  </p>
);

function ContractOf({
  transaction,
  receipt,
}: {
  readonly transaction: Transaction;
  readonly receipt: Seen<Receipt>;
}) {
  const created = 'value' in receipt ? receipt.value?.contractAddress : undefined;
  const address = created ?? transaction.to;
  return address ? <Facts of={{ 'Who has the contract': <PrivacyLink id={address} /> }} /> : null;
}

function Behind({ seen: { inner, innerReceipt, restricted } }: { readonly seen: SeenTransaction }) {
  if ('value' in restricted && restricted.value !== null) return <Restricted of={restricted.value} />;
  if ('refused' in inner) return <Refused text={inner.refused} />;
  if (inner.value === null)
    return <p className="empty">This node is not a party: it has nothing but the marker.</p>;
  return (
    <>
      <Inner of={inner.value} />
      <ReceiptFacts of={innerReceipt} to={inner.value.to} missing="It is not executed yet." />
    </>
  );
}

const Inner = ({ of: { from, to, nonce, input } }: { readonly of: PrivateTransaction }) => (
  <Facts
    of={{
      From: <AddressLink address={from} />,
      To: to === null ? 'a new contract' : <PrivacyLink id={to} />,
      Nonce: count(nonce),
      'Payload hash': <code>{input}</code>,
    }}
  />
);

function Restricted({ of }: { readonly of: RestrictedReceipt }) {
  const { from, to, status, contractAddress, logs, privateFrom, privateFor, privacyGroupId } = of;
  return (
    <>
      <Facts
        of={{
          Kind: 'restricted: only its participants can read it',
          From: <AddressLink address={from} />,
          To: to === null ? 'a new contract' : <PrivacyLink id={to} />,
          Status: <Status status={status} />,
          'Created contract': contractAddress ? <PrivacyLink id={contractAddress} /> : undefined,
          Logs: count(logs.length),
          'Sender’s key': <code>{privateFrom}</code>,
          'Recipients’ keys': privateFor && <Keys of={privateFor} />,
          'Privacy group': privacyGroupId === undefined ? undefined : <code>{privacyGroupId}</code>,
        }}
      />
      <FoldedLogs logs={logs} />
    </>
  );
}
