import { Interface } from 'ethers/abi';

/**
 * What contracts with the exit rules before the present ones have besides (docs/adr/0215): turns, forced batches and requests
 * without proofs. Operators and clients serve such contracts.
 */
export const TURNS_ABI = new Interface([
  'function requestOutboundTransfer(uint32 accountId, address recipient, uint32 tokenId, uint64 amount)',
  'function requestTimes(bytes32 request) view returns (uint256 overdueAt, uint256 expiresAt)',
  'function requestedAt(bytes32 request) view returns (uint256)',
  'function operatorTurn() view returns (uint256 blockNumber)',
  'function turnBlocks() view returns (uint256)',
  'function setOperator(address next)',
  'event OutboundTransferRequested(uint32 indexed accountId, address indexed recipient, uint32 tokenId, uint64 amount, uint256 overdueAt)',
  'error NotYourTurn()',
  'error TooEarly(uint256 blockNumber)',
  'error DepositOverdue(uint256 index)',
]);
