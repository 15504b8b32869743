import { wordFromAddress, wordFromHash, wordToBytes, type Transfer } from '@tetrad/node-evm';
import { parseAddress, parseHash } from '@tetrad/types';

/** Address of the logs of ether transfers (eth_simulateV1, EIP-7528). */
export const ETHER_ADDRESS = parseAddress(`0x${'ee'.repeat(20)}`);
/** keccak256("Transfer(address,address,uint256)"). */
const TRANSFER_TOPIC = parseHash('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef');

const [ETHER, TOPIC] = [wordFromAddress(ETHER_ADDRESS), wordFromHash(TRANSFER_TOPIC)];

/** Logs a transfer of ether like one of an ERC-20 token; a frame that fails reverts the log with its others. */
export function logTransfer({ from, to, value }: Transfer): void {
  const { journal } = from.world;
  journal.logs.push({ address: ETHER, topics: [TOPIC, from.key, to.key], data: wordToBytes(value) });
}
