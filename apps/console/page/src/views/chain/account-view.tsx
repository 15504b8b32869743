import { keccak256 } from 'viem/utils';
import { knownAs } from '../../abi/known-contracts.js';
import { useHeld, useManagementContracts } from '../../api/contract-queries.js';
import { useAccount } from '../../api/queries.js';
import type { Network } from '../../api/shapes.js';
import { Bytes } from '../../parts/bytes.js';
import { byteLength, coins, count, counted } from '../../parts/format.js';
import { Facts } from '../../parts/facts.js';
import { Link } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { AccountHistory, Creator } from './account-history.js';
import { ContractCalls } from '../contracts/contract-calls.js';
import { ContractAbis } from '../contracts/contract-abis.js';
import { TokenFacts } from '../contracts/token-facts.js';
import { TokenHolders } from '../contracts/token-holders.js';
import { VerifySources } from '../contracts/verify-sources.js';
import { ContractStorage, Proxy } from '../contracts/contract-storage.js';

interface Shown {
  readonly network: Network;
  readonly node: string;
  readonly address: string;
  /** A height from the address of the page: the transactions before it. */
  readonly before: number | undefined;
}

export function AccountView(props: Shown) {
  const query = useAccount(props.node, props.address);
  return (
    <>
      <h1>{query.data === undefined || query.data.code === '0x' ? 'Account' : 'Contract'}</h1>
      <Loaded query={query}>{(found) => <Found {...props} {...found} />}</Loaded>
    </>
  );
}

function Found(props: Shown & { readonly balance: bigint; readonly nonce: number; readonly code: string }) {
  const { network, node, address, balance, nonce, code } = props;
  const management = useManagementContracts(node).data ?? [];
  const known = knownAs(network, management, address);
  const isContract = code !== '0x';
  return (
    <>
      <Facts
        of={{
          Address: <code>{address}</code>,
          Known: known === undefined ? undefined : <bdi>{known}</bdi>,
          Kind: isContract ? <Kind node={node} address={address} /> : 'no code: an account, or nothing yet',
          Balance: coins(balance),
          Nonce: count(nonce),
          Code: isContract ? counted(byteLength(code), 'bytes') : undefined,
          'Code hash': isContract ? <code>{keccak256(code as `0x${string}`)}</code> : undefined,
          'Created by': isContract ? <Creator node={node} address={address} /> : undefined,
          Token: isContract ? <TokenFacts node={node} address={address} /> : undefined,
          Proxy: isContract ? <Proxy node={node} address={address} /> : undefined,
        }}
      />
      <AccountHistory node={node} address={address} before={props.before} />
      {isContract && <Contract {...props} />}
    </>
  );
}

function Kind({ node, address }: Pick<Shown, 'node' | 'address'>) {
  const { data } = useHeld(node, address);
  if (data?.kind !== 'private') return 'contract';
  return (
    <>
      private contract of this node: what follows is as it sees it.{' '}
      <Link to={`/privacy/${address}`}>What nodes have of it</Link>
    </>
  );
}

function Contract({ network, node, address, code }: Shown & { readonly code: string }) {
  return (
    <>
      <TokenHolders node={node} address={address} />
      <section aria-labelledby="abis">
        <h2 id="abis">ABI files</h2>
        <ContractAbis address={address} />
      </section>
      {network.verifiesSources && (
        <section aria-labelledby="sources">
          <h2 id="sources">Sources</h2>
          <VerifySources key={address} node={node} address={address} />
        </section>
      )}
      <ContractCalls network={network} node={node} address={address} />
      <section aria-labelledby="storage">
        <h2 id="storage">Storage</h2>
        <ContractStorage node={node} address={address} />
      </section>
      <section aria-labelledby="code">
        <h2 id="code">Code</h2>
        <Bytes label="Bytes of the code">{code}</Bytes>
      </section>
    </>
  );
}
