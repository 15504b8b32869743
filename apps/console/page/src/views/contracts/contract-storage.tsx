import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { PROXY_SLOTS, addressInWord } from '../../abi/known-contracts.js';
import { abisFor } from '../../abi/kept-abi.js';
import { useKeptAbis } from '../../abi/kept-abis.js';
import { MAX_PLACES, placesOf } from '../../abi/storage-places.js';
import { blockIdOf } from '../../api/contract-queries.js';
import { readSlots, type StorageOf } from '../../api/storage-queries.js';
import { AddressLink } from '../../parts/link.js';
import { Loaded } from '../../parts/loaded.js';
import { StoredPlaces } from './stored-places.js';

/** Layouts of one contract that are shown. */
const MAX_LAYOUTS = 5;

/** What a contract stores: variables by the layouts of its ABI files, and slots by number. */
export function ContractStorage({ node, address }: { readonly node: string; readonly address: string }) {
  const [block, setBlock] = useState('latest');
  const id = blockIdOf(block);
  const layouts = abisFor(useKeptAbis(), address).flatMap(({ id: key, by, use, contract: { layout } }) =>
    // A layout for any contract would show other variables than there are.
    layout === undefined || use === 'any' ? [] : [{ key, by, layout }],
  );
  return (
    <>
      <p>
        <label>
          At block (a number or a tag){' '}
          <input type="text" value={block} onChange={({ target }) => setBlock(target.value)} />
        </label>
      </p>
      {id === undefined ? (
        <p className="failed">Enter a block number, latest, earliest, pending, safe or finalized.</p>
      ) : (
        <>
          {layouts.slice(0, MAX_LAYOUTS).map(({ key, by, layout }) => (
            <section key={key} aria-label={`Variables by the layout of ${by}`}>
              <h3>
                Variables by the layout of <bdi>{by}</bdi>
              </h3>
              <StoredPlaces of={{ node, address, block: id }} layout={layout} places={placesOf(layout)} />
              {layout.variables.length >= MAX_PLACES && <p>The first {MAX_PLACES} are shown.</p>}
            </section>
          ))}
          {layouts.length === 0 && (
            <p className="empty">
              No ABI file of this contract has a storage layout: compile it with the output storageLayout.
            </p>
          )}
          <Slot of={{ node, address, block: id }} />
        </>
      )}
    </>
  );
}

/** A slot by number. */
function Slot({ of }: { readonly of: StorageOf }) {
  const [text, setText] = useState('');
  const [slot, setSlot] = useState<bigint>();
  const [problem, setProblem] = useState<string>();
  const show = (event: FormEvent) => {
    event.preventDefault();
    const isSlot = /^(?:[0-9]{1,78}|0x[0-9a-f]{1,64})$/i.test(text.trim());
    const value = isSlot ? BigInt(text.trim()) : 0n;
    const fits = isSlot && value < 2n ** 256n;
    setProblem(fits ? undefined : 'Enter the number of a slot, in decimal or as hex.');
    setSlot(fits ? value : undefined);
  };
  return (
    <>
      <form className="question" onSubmit={show}>
        <label>
          Slot (decimal or hex){' '}
          <input type="text" value={text} onChange={({ target }) => setText(target.value)} />
        </label>
        <button type="submit">Read the slot</button>
        <span role="status">{problem}</span>
      </form>
      {slot !== undefined && <Word of={of} slot={slot} />}
    </>
  );
}

function Word({ of, slot }: { readonly of: StorageOf; readonly slot: bigint }) {
  const query = useQuery({
    queryKey: ['slot', of, String(slot)],
    queryFn: async ({ signal }) => (await readSlots(of, [slot], signal)).get(slot) ?? '',
    retry: false,
  });
  return (
    <Loaded query={query}>
      {(word) => (
        <p>
          Slot <code>{String(slot)}</code>: <code>{word}</code>
        </p>
      )}
    </Loaded>
  );
}

/** What the slots of EIP-1967 say of a proxy. */
export function Proxy({ node, address }: { readonly node: string; readonly address: string }) {
  const { data } = useQuery({
    queryKey: ['proxy', node, address],
    queryFn: async ({ signal }) => {
      const slots = PROXY_SLOTS.map(({ slot }) => slot);
      const words = await readSlots({ node, address, block: 'latest' }, slots, signal);
      return PROXY_SLOTS.flatMap(({ role, slot }) => {
        const found = addressInWord(words.get(slot));
        return found === undefined ? [] : [{ role, found }];
      });
    },
    retry: false,
  });
  if (data === undefined || data.length === 0) return 'none by EIP-1967';
  return (
    <ul className="inline">
      {data.map(({ role, found }) => (
        <li key={role}>
          {role} <AddressLink address={found} />
        </li>
      ))}
    </ul>
  );
}
