import { PROTOCOL, type CoinAddress } from '@tetrad/wallet-key';
import type { CoinMessage } from './coin-message.js';
import { messageContentId } from './content-id.js';
import { ethPayloadOf } from './eth-payload.js';

/**
 * The bytes that the signer of a message signs: the Ethereum transaction for a delegated one, the content id's 38 bytes
 * for all others. The key's address decides, not the message's `From`, which is not looked at.
 * @param chainId - of the Ethereum transaction; see ETH_CHAIN_ID
 * @throws CoinMessageError (FIELD_OUT_OF_RANGE, NOT_AN_ETH_MESSAGE)
 */
export function bytesToSign(message: CoinMessage, signer: CoinAddress, chainId: bigint): Uint8Array {
  return signer.protocol === PROTOCOL.delegated ? ethPayloadOf(message, chainId) : messageContentId(message);
}

/**
 * Puts text that people sign on the command line into an envelope, so that it can be no message of the chain.
 *
 * Layout: 0x19 (1) ‖ "Filecoin Signed Message:" (24) ‖ LF (1) ‖ bytes of data in decimal (1..) ‖ data
 * Source: lotus, cli/wallet.go
 */
export function textEnvelope(data: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`\x19Filecoin Signed Message:\n${data.length}`, 'latin1'), data]);
}
