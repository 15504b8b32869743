import { abisFor, type KeptAbi } from '../../abi/kept-abi.js';
import { bindAbi, useKeptAbis } from '../../abi/kept-abis.js';
import { count } from '../../parts/format.js';
import { Link } from '../../parts/link.js';
import { DropAbi } from './drop-abi.js';

/** Files that are listed here; the view of all files has the others. */
const MAX_SHOWN = 30;

/** The ABI files that are used for a contract, and those that could be. */
export function ContractAbis({ address }: { readonly address: string }) {
  const kept = useKeptAbis();
  const own = address.toLowerCase() as `0x${string}`;
  const used = abisFor(kept, own);
  const others = kept.filter(({ use }) => use === undefined);
  return (
    <>
      {used.length === 0 && <p className="empty">None is used for this contract.</p>}
      <ul>
        {used.slice(0, MAX_SHOWN).map((one) => (
          <li key={one.id}>
            <bdi>{one.by}</bdi>, {one.use === 'any' ? 'for any contract' : 'for this one'}
          </li>
        ))}
        {others.slice(0, MAX_SHOWN).map((one) => (
          <Other key={one.id} abi={one} address={own} />
        ))}
      </ul>
      {used.length + others.length > 2 * MAX_SHOWN && <p>{count(kept.length)} are kept.</p>}
      <DropAbi use={own} label="Add a file with the ABI of this contract" />
      <Link to="/abis">All ABI files</Link>
    </>
  );
}

function Other({ abi: { id, by }, address }: { readonly abi: KeptAbi; readonly address: `0x${string}` }) {
  return (
    <li>
      <bdi>{by}</bdi>, not used yet{' '}
      <button type="button" onClick={() => bindAbi(id, address)}>
        Use for this contract
      </button>
    </li>
  );
}
