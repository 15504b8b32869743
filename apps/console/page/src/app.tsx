import { useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useKeptAbis } from './abi/kept-abis.js';
import { namesOf } from './abi/known-names.js';
import { needsToken } from './api/call-node.js';
import { useOfferedAbis } from './api/offered-abis.js';
import { useNetwork } from './api/queries.js';
import type { Network } from './api/shapes.js';
import { AskToken } from './ask-token.js';
import { isolated } from './parts/format.js';
import { Link } from './parts/link.js';
import { Loaded } from './parts/loaded.js';
import { NamesContext } from './parts/names.js';
import { viewOf, type View } from './paths.js';
import { chooseNode, useAddress } from './routing.js';
import { SearchBox } from './search-box.js';
import { AbisView } from './views/contracts/abis-view.js';
import { AccountView } from './views/chain/account-view.js';
import { BlockView } from './views/chain/block-view.js';
import { BlocksView } from './views/chain/blocks-view.js';
import { ExplainView } from './views/permissions/explain-view.js';
import { NetworkView } from './views/network/network-view.js';
import { PermissionsView } from './views/permissions/permissions-view.js';
import { PoolView } from './views/chain/pool-view.js';
import { PrivacyView } from './views/privacy/privacy-view.js';
import { PrivateContractView } from './views/privacy/private-contract-view.js';
import { PrivateTransactionView } from './views/privacy/private-transaction-view.js';
import { ServiceLinks, ServiceShown } from './service-shown.js';
import { TransactionsView } from './views/chain/transactions-view.js';
import { TransactionView } from './views/chain/transaction-view.js';
import { WritesProvider } from './writes/writes-provider.js';

export function App() {
  const network = useNetwork();
  const client = useQueryClient();
  if (needsToken(network.error)) return <AskToken onShown={() => void client.resetQueries()} />;
  return (
    <Loaded query={network}>
      {(found) => (
        <Named network={found}>
          <Page network={found} />
        </Named>
      )}
    </Loaded>
  );
}

/** What is in it shows addresses by their names. */
function Named({ network, children }: { readonly network: Network; readonly children: ReactNode }) {
  const abis = useKeptAbis();
  const names = useMemo(() => namesOf(network, abis), [network, abis]);
  return <NamesContext value={names}>{children}</NamesContext>;
}

function Page({ network }: { readonly network: Network }) {
  useOfferedAbis();
  const address = useAddress();
  const view = viewOf(address.pathname);
  const names = network.nodes.map(({ name }) => name);
  const chosen = address.searchParams.get('node') ?? '';
  const node = names.includes(chosen) ? chosen : (names[0] ?? '');
  return (
    <WritesProvider network={network} node={node}>
      <a href="#content" className="skip">
        To the content
      </a>
      <header>
        <Views network={network} view={view} />
        <SearchBox node={node} />
        <AskedNode names={names} node={node} />
      </header>
      <main id="content" tabIndex={-1}>
        <Shown
          view={view}
          network={network}
          node={node}
          before={heightOf(address.searchParams.get('before'))}
        />
      </main>
    </WritesProvider>
  );
}

function Views({ network, view }: { readonly network: Network; readonly view: View }) {
  return (
    <nav aria-label="Views">
      <Link to="/" isCurrent={view.kind === 'network'}>
        Network
      </Link>
      <Link to="/blocks" isCurrent={view.kind === 'blocks'}>
        Blocks
      </Link>
      <Link to="/transactions" isCurrent={view.kind === 'transactions'}>
        Transactions
      </Link>
      <Link to="/pool" isCurrent={view.kind === 'pool'}>
        Pool
      </Link>
      <Link to="/privacy" isCurrent={view.kind === 'privacy'}>
        Privacy
      </Link>
      <Link to="/permissions" isCurrent={view.kind === 'permissions' || view.kind === 'explain'}>
        Permissions
      </Link>
      <Link to="/abis" isCurrent={view.kind === 'abis'}>
        ABIs
      </Link>
      <ServiceLinks network={network} view={view} />
    </nav>
  );
}

/** Chooses the node that the views ask. */
function AskedNode({ names, node }: { readonly names: readonly string[]; readonly node: string }) {
  return (
    <label>
      Ask{' '}
      <select value={node} onChange={({ target }) => chooseNode(target.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {isolated(name)}
          </option>
        ))}
      </select>
    </label>
  );
}

function heightOf(text: string | null): number | undefined {
  return text !== null && /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
}

function Shown(props: {
  readonly view: View;
  readonly network: Network;
  readonly node: string;
  readonly before: number | undefined;
}) {
  const { view, network, node, before } = props;
  switch (view.kind) {
    case 'network':
      return <NetworkView network={network} node={node} />;
    case 'blocks':
      return <BlocksView node={node} before={before} />;
    case 'transactions':
      return <TransactionsView node={node} before={before} />;
    case 'pool':
      return <PoolView node={node} />;
    case 'abis':
      return <AbisView />;
    case 'permissions':
      return <PermissionsView node={node} />;
    case 'explain':
      return <ExplainView node={node} />;
    case 'privacy':
      return <PrivacyView network={network} node={node} before={before} />;
    case 'private-contract':
      return <PrivateContractView network={network} node={node} address={view.id} />;
    case 'private-transaction':
      return <PrivateTransactionView network={network} node={node} hash={view.id} />;
    case 'block':
      return <BlockView node={node} id={view.id} />;
    case 'transaction':
      return <TransactionView node={node} hash={view.id} />;
    case 'account':
      return <AccountView key={view.id} network={network} node={node} address={view.id} before={before} />;
    case 'rollup':
    case 'rollupAccount':
    case 'rollupOperation':
    case 'signing':
      return <ServiceShown view={view} network={network} node={node} />;
    case 'unknown':
      return <NoSuchPage />;
  }
}

const NoSuchPage = () => (
  <>
    <h1>No such page</h1>
    <p className="empty">The console has no view at this address.</p>
  </>
);
