import type { coinMethods } from '@tetrad/api-wallet';
import type { CallContext, Handlers } from '@tetrad/rpc';
import { LRUCache } from 'lru-cache';
import { parseCoinAddress, type CoinAddress } from '@tetrad/wallet-key';
import { verifyData, type Requester } from '@tetrad/wallet-signing';
import type { WalletParts } from './wallet-parts.js';
import { readMessage } from './wire-message.js';

/** Texts whose addresses are kept: reading one takes longer than everything else about a look-up. */
const REMEMBERED_ADDRESSES = 10_000;

/** Recorded for callers without a token. */
const ANONYMOUS = 'anonymous';
/** Recorded for a token whose subject is that very word. */
const NAMED_ANONYMOUS = 'subject anonymous';

export function coinHandlers(
  parts: Pick<WalletParts, 'addresses' | 'network' | 'pool' | 'remote' | 'signer' | 'store'>,
): Handlers<typeof coinMethods> {
  const { store, remote, addresses, signer } = parts;
  const readAddress = addressReader();
  return {
    'Coin.WalletHas': async ([text]) => {
      const address = readAddress(text);
      return remote.has(address) || store.hasKey(address.toBytes());
    },
    'Coin.WalletList': async () => [...(await addresses.list())],
    'Coin.WalletSign': async ([text, data, meta], context) => {
      const address = readAddress(text);
      const requester = requesterOf(context);
      const { type, data: signature } = await signer.signData({
        address,
        data,
        requester,
        meta: meta === undefined ? undefined : { type: meta.Type, extra: meta.Extra },
      });
      return { Type: type, Data: signature };
    },
    'Coin.WalletSignMessage': async ([text, wire], context) => {
      const address = readAddress(text);
      const message = readMessage(wire);
      const { type, data } = await signer.signMessage({ address, message, requester: requesterOf(context) });
      return { Message: { ...wire, Version: message.version }, Signature: { Type: type, Data: data } };
    },
    'Coin.WalletVerify': ([text, data, { Type, Data }]) =>
      verifyData(parts, { address: readAddress(text), data, signature: { type: Type, data: Data } }),
  };
}

/** Reads the text of addresses; of one that it has read before it knows the outcome. */
function addressReader(): (text: string) => CoinAddress {
  const known = new LRUCache<string, CoinAddress>({ max: REMEMBERED_ADDRESSES });
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const address = parseCoinAddress(text);
    known.set(text, address);
    return address;
  };
}

function requesterOf({ subject, requestId }: CallContext): Requester {
  return { caller: subject === ANONYMOUS ? NAMED_ANONYMOUS : (subject ?? ANONYMOUS), requestId };
}
