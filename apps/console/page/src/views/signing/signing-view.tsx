import type { Network } from '../../api/shapes.js';
import { MAX_ASKED, useSigner, useWallet, type SignerKey } from '../../api/signing-queries.js';
import type { Column } from '../../parts/column.js';
import { Facts } from '../../parts/facts.js';
import { coins, count, counted } from '../../parts/format.js';
import { AddressLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { Table } from '../../parts/table.js';
import { SignerDecisions } from './signer-decisions.js';
import { SignerSends } from './signer-sends.js';

/** Keys of the signer with their nonces, and keys of the wallet. */
export function SigningView({ network }: { readonly network: Network }) {
  return (
    <>
      <h1>Signing</h1>
      <section aria-labelledby="signer">
        <h2 id="signer">Signer</h2>
        {network.hasSigner ? (
          <>
            <Signer chainId={network.chainId} />
            <SignerSends />
            <SignerDecisions />
          </>
        ) : (
          <p className="empty">The endpoints file names no signer.</p>
        )}
      </section>
      <section aria-labelledby="wallet">
        <h2 id="wallet">Wallet</h2>
        {network.hasWallet ? <Wallet /> : <p className="empty">The endpoints file names no wallet.</p>}
      </section>
    </>
  );
}

const KEY_COLUMNS: readonly Column<SignerKey>[] = [
  { title: 'Account', cell: ({ address }) => <AddressLink address={address} /> },
  { title: 'Balance', isNumber: true, cell: ({ chain }) => (chain ? coins(chain.balance) : '–') },
  { title: 'Mined', isNumber: true, cell: ({ chain }) => (chain ? count(chain.mined) : '–') },
  { title: 'Next nonce', isNumber: true, cell: ({ chain }) => (chain ? count(chain.pending) : '–') },
  { title: 'State', cell: (key) => <KeyState of={key} /> },
];

function Signer({ chainId }: { readonly chainId: number }) {
  return (
    <Loaded query={useSigner()}>
      {({ keys, client }) => (
        <>
          <Facts
            of={{
              'Ethereum client':
                client === undefined ? (
                  <span className="badge bad">does not answer the signer</span>
                ) : client.chainId !== chainId ? (
                  <span className="badge bad">on chain {client.chainId}, not on this one</span>
                ) : (
                  <span className="badge good">answers</span>
                ),
              Head: client && count(client.head),
            }}
          />
          <Table
            caption={counted(keys.length, 'keys')}
            rows={keys}
            keyOf={({ address }) => address}
            empty="The signer holds no key."
            columns={KEY_COLUMNS}
          />
          {client !== undefined && keys.length > MAX_ASKED && (
            <p className="empty">Nonces are shown of the first {count(MAX_ASKED)}.</p>
          )}
        </>
      )}
    </Loaded>
  );
}

function KeyState({ of: { chain } }: { readonly of: SignerKey }) {
  if (chain === undefined) return '–';
  const waiting = chain.pending - chain.mined;
  if (waiting <= 0) return <span className="badge good">nothing waits</span>;
  return <span className="badge warn">{count(waiting)} in the pool</span>;
}

/** Source: address kinds of the coin network, whose second character says how the key signs */
const SCHEMES: Readonly<Record<string, string>> = { '1': 'secp256k1', '3': 'BLS12-381', '4': 'delegated' };

function Wallet() {
  return (
    <Loaded query={useWallet()}>
      {(addresses) => (
        <Table
          caption={`${counted(addresses.length, 'keys')} of the coin network`}
          rows={addresses}
          keyOf={(address) => address}
          empty="The wallet holds no key."
          columns={[
            {
              title: 'Address',
              cell: (address) => (
                <bdi>
                  <code>{address}</code>
                </bdi>
              ),
            },
            { title: 'Key', cell: (address) => SCHEMES[address.charAt(1)] ?? 'other' },
          ]}
        />
      )}
    </Loaded>
  );
}
