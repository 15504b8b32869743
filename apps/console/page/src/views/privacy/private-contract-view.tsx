import { useSeenContracts, type Seen, type SeenContract } from '../../api/privacy-queries.js';
import type { Inspection } from '../../api/privacy-shapes.js';
import type { Network } from '../../api/shapes.js';
import { count, counted } from '../../parts/format.js';
import { Facts } from '../../parts/facts.js';
import { AddressLink, Link } from '../../parts/link.js';
import { flagInWords } from '../../privacy/privacy-flags.js';
import type { Held } from '../../privacy/held-contract.js';
import { ContractAgreement } from './agreement.js';
import { Keys } from './keys.js';
import { Repairs } from './repairs.js';
import { ChooseBeside, Sides, useSides } from './sides.js';
import { ExtensionActions } from './extension-actions.js';

/** A contract at two nodes: whether it is private there, its flag, its parties and its extensions. */
export function PrivateContractView(props: {
  readonly network: Network;
  readonly node: string;
  readonly address: string;
}) {
  const { network, node, address } = props;
  const names = useSides(network, node);
  const queries = useSeenContracts(names, address);
  return (
    <>
      <nav aria-label="Privacy" className="pages">
        <Link to="/privacy">Privacy</Link>
      </nav>
      <h1>Private contract</h1>
      <Facts
        of={{
          Address: (
            <Link to={`/accounts/${address}`}>
              <code>{address}</code>
            </Link>
          ),
        }}
      />
      <ChooseBeside network={network} sides={names} path={`/privacy/${address}`} />
      <p>
        <button type="button" onClick={() => queries.forEach((query) => void query.refetch())}>
          Ask again
        </button>
      </p>
      <Sides names={names} queries={queries}>
        {(seen, name) => (
          <>
            <Side node={name} seen={seen} />
            {seen.held.kind === 'private' && <Agreement node={name} address={address} />}
          </>
        )}
      </Sides>
    </>
  );
}

function Side(props: { readonly node: string; readonly seen: SeenContract }) {
  const { held, metadata, inspection } = props.seen;
  const own = 'value' in metadata ? metadata.value : null;
  const inspected = 'value' in inspection ? inspection.value : null;
  return (
    <>
      <Facts
        of={{
          State: <State held={held} />,
          Protection: held.kind === 'private' ? flagInWords(held.flag) : undefined,
          'Parties that its manager knows':
            held.kind === 'private' ? <Parties inspected={inspected} flag={held.flag} /> : undefined,
          'Mandatory parties': own?.mandatoryFor?.length ? <Keys of={own.mandatoryFor} /> : undefined,
          'Created by payload': own === null ? undefined : <code>{own.creationTxHash}</code>,
          Code: inspected?.held && counted(inspected.held.codeBytes, 'bytes'),
          'Code hash': inspected?.held && <code>{inspected.held.codeHash}</code>,
          'Storage root': inspected?.held && <code>{inspected.held.storageRoot}</code>,
          Slots: inspected?.held?.slots === undefined ? undefined : count(inspected.held.slots),
        }}
      />
      <h3>Extensions</h3>
      <ExtensionsOf node={props.node} inspection={inspection} />
    </>
  );
}

/** Whether the parties have the same state of the contract, and what was done where they had not. */
const Agreement = ({ node, address }: { readonly node: string; readonly address: string }) => (
  <>
    <ContractAgreement node={node} address={address} />
    <h3>Repairs</h3>
    <Repairs node={node} contract={address} />
  </>
);

function State({ held }: { readonly held: Held }) {
  switch (held.kind) {
    case 'private':
      return <span className="badge good">private contract of this node</span>;
    case 'public':
      return <span className="badge">public contract</span>;
    case 'nothing':
      return <span className="badge">no code here: an account, or a private contract of other parties</span>;
    case 'unknown':
      return (
        <span className="badge warn">
          not known: <bdi>{held.reason}</bdi>
        </span>
      );
  }
}

function Parties({ inspected, flag }: { readonly inspected: Inspection | null; readonly flag: number }) {
  if (inspected?.held?.parties) return <Keys of={inspected.held.parties} />;
  return flag === 0 ? 'not recorded for this protection' : 'not known to this node';
}

/** Extensions that are shown. */
const MAX_EXTENSIONS = 16;

function ExtensionsOf(props: { readonly node: string; readonly inspection: Seen<Inspection> }) {
  const { node, inspection } = props;
  const extensions = 'value' in inspection ? (inspection.value?.extensions ?? []) : [];
  if (extensions.length === 0)
    return <p className="empty">This node knows of no extension that is under way.</p>;
  return extensions.slice(0, MAX_EXTENSIONS).map((one) => (
    <div key={one.managementContractAddress}>
      <Extension extension={one} />
      <ExtensionActions node={node} extension={one} />
    </div>
  ));
}

function Extension({ extension }: { readonly extension: Inspection['extensions'][number] }) {
  const { votes, heard, isInitiator, isRecipient } = extension;
  return (
    <Facts
      of={{
        'Management contract': <AddressLink address={extension.managementContractAddress} />,
        'This node': isInitiator ? 'is the initiator' : isRecipient ? 'is the recipient' : undefined,
        'Offered by': (
          <>
            <AddressLink address={extension.initiator} /> <code>{extension.initiatorPtmKey}</code>
          </>
        ),
        'New party': (
          <>
            <AddressLink address={extension.recipient} /> <code>{extension.recipientPtmKey}</code>
          </>
        ),
        Votes: <Votes of={votes} />,
        'Parties say': heard && <Heard of={heard} />,
      }}
    />
  );
}

const Votes = ({
  of,
}: {
  readonly of: readonly { readonly account: string; readonly hasVoted: boolean }[];
}) => (
  <ul className="inline">
    {of.slice(0, MAX_EXTENSIONS).map(({ account, hasVoted }) => (
      <li key={account}>
        <AddressLink address={account} />{' '}
        <span className={`badge ${hasVoted ? 'good' : 'warn'}`}>
          {hasVoted ? 'has voted' : 'has to vote'}
        </span>
      </li>
    ))}
  </ul>
);

const ANSWERS = {
  stated: 'stated by the initiator',
  confirmed: 'confirms it',
  contradicted: 'contradicts it',
  silent: 'does not answer',
} as const;

const Heard = ({ of }: { readonly of: NonNullable<Inspection['extensions'][number]['heard']> }) => (
  <ul className="inline">
    {of.slice(0, MAX_EXTENSIONS).map(({ ptmKey, answer }) => (
      <li key={ptmKey}>
        <code>{ptmKey}</code>{' '}
        <span
          className={`badge ${answer === 'contradicted' ? 'bad' : answer === 'silent' ? 'warn' : 'good'}`}
        >
          {ANSWERS[answer]}
        </span>
      </li>
    ))}
  </ul>
);
