import { useState } from 'react';
import { useSignerDecisions, type DecisionQuestion, type SignerDecision } from '../../api/signing-lists.js';
import type { Column } from '../../parts/column.js';
import { coins, count, short, time } from '../../parts/format.js';
import { AddressLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';

const ADDRESS = /^0x[0-9a-f]{40}$/;

const COLUMNS: readonly Column<SignerDecision>[] = [
  { title: 'Entry', isNumber: true, cell: ({ sequence }) => count(sequence) },
  { title: 'Time', cell: (decision) => time(decision.time / 1_000) },
  { title: 'Caller', cell: ({ caller }) => (caller === null ? 'no token' : <bdi>{caller}</bdi>) },
  { title: 'Account', cell: ({ account }) => <AskedAccount name={account} /> },
  { title: 'Method', cell: ({ method }) => <bdi>{method}</bdi> },
  { title: 'Decision', cell: (decision) => <Outcome of={decision} /> },
  { title: 'Transaction', cell: ({ transaction }) => <Signed transaction={transaction} /> },
];

type Chosen = DecisionQuestion['outcome'];

/** What the signer signed and what it refused, page by page. */
export function SignerDecisions() {
  const [outcome, setOutcome] = useState<Chosen>();
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const query = useSignerDecisions({ outcome, cursor: cursors.at(-1) });
  const choose = (chosen: Chosen) => {
    setOutcome(chosen);
    setCursors([]);
  };
  return (
    <section aria-labelledby="decisions">
      <h3 id="decisions">Decisions</h3>
      <OutcomeChoice outcome={outcome} onChange={choose} />
      <Loaded query={query}>
        {({ decisions, cursor }) => (
          <>
            <Table
              caption="Decisions of the signer, newest first"
              rows={decisions}
              keyOf={({ sequence }) => String(sequence)}
              empty={cursor === null ? 'None is in the audit log.' : 'None is in this part of the audit log.'}
              columns={COLUMNS}
            />
            <Pages cursors={cursors} next={cursor} onTurn={setCursors} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function OutcomeChoice(props: { readonly outcome: Chosen; readonly onChange: (chosen: Chosen) => void }) {
  const { outcome, onChange } = props;
  const choose = (chosen: string) => onChange(chosen === 'all' ? undefined : (chosen as Chosen));
  return (
    <p>
      <label>
        Show{' '}
        <select value={outcome ?? 'all'} onChange={({ target }) => choose(target.value)}>
          <option value="all">all</option>
          <option value="refused">refused</option>
          <option value="allowed">allowed</option>
        </select>
      </label>
    </p>
  );
}

/** Turns to the first page and to the next one. */
function Pages(props: {
  /** Of the pages after the first, up to the one that is shown. */
  readonly cursors: readonly string[];
  /** Of the page after that; null on the last one. */
  readonly next: string | null;
  readonly onTurn: (cursors: readonly string[]) => void;
}) {
  const { cursors, next, onTurn } = props;
  return (
    <p>
      {cursors.length > 0 && (
        <button type="button" onClick={() => onTurn([])}>
          Newest
        </button>
      )}{' '}
      {next !== null && (
        <button type="button" onClick={() => onTurn([...cursors, next])}>
          Older
        </button>
      )}
    </p>
  );
}

function AskedAccount({ name }: { readonly name: string }) {
  if (ADDRESS.test(name)) return <AddressLink address={name} />;
  return <bdi title={name}>{short(name)}</bdi>;
}

function Outcome({ of: { outcome, reason, rule, limit } }: { readonly of: SignerDecision }) {
  const by = rule === null ? '' : ' by rule ';
  return (
    <>
      <span className={outcome === 'allowed' ? 'badge good' : 'badge bad'}>{outcome}</span>
      {by}
      {rule !== null && <bdi>{rule}</bdi>}
      {limit !== null && (
        <>
          : <bdi>{limit}</bdi>
        </>
      )}{' '}
      {reason !== null && rule === null && <bdi>{reason}</bdi>}
    </>
  );
}

function Signed({ transaction }: Pick<SignerDecision, 'transaction'>) {
  if (transaction === null) return '–';
  const { isPrivate, nonce, to, value } = transaction;
  if (isPrivate) return `private, nonce ${nonce}`;
  return (
    <>
      nonce {String(nonce)}, {to === null ? 'new contract' : <AddressLink address={to} />}
      {value !== null && value > 0n && `, ${coins(value)}`}
    </>
  );
}
