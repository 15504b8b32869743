import type { coinMethods } from '@tetrad/api-wallet';
import type { CallContext, Handlers } from '@tetrad/rpc';
import { parseCoinAddress } from '@tetrad/wallet-address';
import { verifyData, type Requester } from '@tetrad/wallet-signing';
import type { WalletParts } from './wallet-parts.js';
import { readMessage } from './wire-message.js';

/** Recorded for callers when authentication is off. */
const ANONYMOUS = 'anonymous';

export function coinHandlers(parts: WalletParts): Handlers<typeof coinMethods> {
  const { store, addresses, signer } = parts;
  return {
    'Coin.WalletHas': ([address]) => store.hasKey(parseCoinAddress(address).toBytes()),
    'Coin.WalletList': async () => [...(await addresses.list())],
    'Coin.WalletSign': async ([text, data, meta], context) => {
      const address = parseCoinAddress(text);
      const requester = requesterOf(context);
      const { type, data: signature } = await signer.signData({
        address,
        data,
        requester,
        ...(meta === undefined ? {} : { meta: { type: meta.Type, extra: meta.Extra } }),
      });
      return { Type: type, Data: signature };
    },
    'Coin.WalletSignMessage': async ([text, wire], context) => {
      const address = parseCoinAddress(text);
      const message = readMessage(wire);
      const { type, data } = await signer.signMessage({ address, message, requester: requesterOf(context) });
      return { Message: wire, Signature: { Type: type, Data: data } };
    },
    'Coin.WalletVerify': ([text, data, { Type, Data }]) =>
      verifyData(parts, { address: parseCoinAddress(text), data, signature: { type: Type, data: Data } }),
  };
}

function requesterOf({ subject, requestId }: CallContext): Requester {
  return { caller: subject ?? ANONYMOUS, requestId };
}
