import { loggedAmount, tokenAmount, type Token } from '../../abi/token.js';
import { useToken } from '../../api/token-queries.js';
import type { Log } from '../../api/shapes.js';

/** What the contract answers as a token. */
export function TokenFacts({ node, address }: { readonly node: string; readonly address: string }) {
  const { data, isPending } = useToken(node, address, true);
  if (data === null || data === undefined) return isPending ? 'asked for' : 'does not answer as a token';
  const { standard, name, symbol, totalSupply, decimals } = data;
  return (
    <>
      {standard}: <bdi>{name ?? 'without a name'}</bdi>
      {totalSupply === undefined && symbol !== undefined && (
        <>
          {' '}
          (<Symbol of={data} />)
        </>
      )}
      {totalSupply !== undefined && (
        <>
          , supply {tokenAmount(totalSupply, decimals)} <Symbol of={data} />
          {standard === 'ERC-20' && `, ${decimals} decimals`}
        </>
      )}
    </>
  );
}

/** The amount of a log of ERC-20 in the units of its token; nothing where the contract does not say which they are. */
export function TokenAmount({ node, log }: { readonly node: string; readonly log: Log }) {
  const amount = loggedAmount(log);
  const { data } = useToken(node, log.address, amount !== undefined);
  if (amount === undefined) return null;
  if (data?.standard !== 'ERC-20') return <>{amount.toString()} of the smallest unit</>;
  return (
    <>
      {tokenAmount(amount, data.decimals)} <Symbol of={data} />
    </>
  );
}

const Symbol = ({ of: { symbol } }: { readonly of: Token }) => <bdi>{symbol ?? ''}</bdi>;
