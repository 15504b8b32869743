import { parseAbi } from 'viem/utils';
import { parseContractAbi } from './contract-abi.js';
import type { KeptAbi } from './kept-abi.js';
import { PERMISSION_SIGNATURES, ROLLUP_SIGNATURES } from './own-contracts.js';

/** Signatures that many contracts share, by the standard that publishes them. */
const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  'ERC-20': [
    'function name() view returns (string)',
    'function symbol() view returns (string)',
    'function decimals() view returns (uint8)',
    'function totalSupply() view returns (uint256)',
    'function balanceOf(address owner) view returns (uint256)',
    'function allowance(address owner, address spender) view returns (uint256)',
    'function transfer(address to, uint256 value) returns (bool)',
    'function transferFrom(address from, address to, uint256 value) returns (bool)',
    'function approve(address spender, uint256 value) returns (bool)',
    'event Transfer(address indexed from, address indexed to, uint256 value)',
    'event Approval(address indexed owner, address indexed spender, uint256 value)',
  ],
  'ERC-721': [
    'function ownerOf(uint256 tokenId) view returns (address)',
    'function tokenURI(uint256 tokenId) view returns (string)',
    'function getApproved(uint256 tokenId) view returns (address)',
    'function isApprovedForAll(address owner, address operator) view returns (bool)',
    'function safeTransferFrom(address from, address to, uint256 tokenId)',
    'function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
    'function setApprovalForAll(address operator, bool approved)',
    'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
    'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
    'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  ],
  'ERC-1155': [
    'function balanceOf(address owner, uint256 id) view returns (uint256)',
    'function uri(uint256 id) view returns (string)',
    'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
    'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
    'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
    'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
    'event URI(string value, uint256 indexed id)',
  ],
  'ERC-165': ['function supportsInterface(bytes4 interfaceId) view returns (bool)'],
  'ERC-173': [
    'function owner() view returns (address)',
    'function transferOwnership(address newOwner)',
    'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
  ],
  'ERC-1967': [
    'event Upgraded(address indexed implementation)',
    'event BeaconUpgraded(address indexed beacon)',
    'event AdminChanged(address previousAdmin, address newAdmin)',
  ],
  'ERC-2612': [
    'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
    'function nonces(address owner) view returns (uint256)',
  ],
  'ERC-6093': [
    'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
    'error ERC20InvalidSender(address sender)',
    'error ERC20InvalidReceiver(address receiver)',
    'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
    'error ERC20InvalidApprover(address approver)',
    'error ERC20InvalidSpender(address spender)',
    'error ERC721InvalidOwner(address owner)',
    'error ERC721NonexistentToken(uint256 tokenId)',
    'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
    'error ERC721InvalidSender(address sender)',
    'error ERC721InvalidReceiver(address receiver)',
    'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
    'error ERC1155InsufficientBalance(address sender, uint256 balance, uint256 needed, uint256 tokenId)',
    'error ERC1155InvalidSender(address sender)',
    'error ERC1155InvalidReceiver(address receiver)',
    'error ERC1155MissingApprovalForAll(address operator, address owner)',
    'error ERC1155InvalidArrayLength(uint256 idsLength, uint256 valuesLength)',
  ],
  // docs/spec/contract-extension.md
  'contract extension': [
    'function doVote(bool vote, string uuid)',
    'function finish()',
    'function setSharedStateHash(string hash)',
    'function setUuid(string uuid)',
    'function updatePartyMembers()',
    'event NewContractExtensionContractCreated(address contractToExtend, string recipientKey, address recipient)',
    'event NewVote(bool vote, address voter)',
    'event AllNodesHaveAccepted(bool outcome)',
    'event CanPerformStateShare()',
    'event StateShared(address contractToExtend, string hash, string uuid)',
    'event UpdateMembers(address contractToExtend, string uuid)',
    'event ExtensionFinished()',
  ],
  'permission contracts': PERMISSION_SIGNATURES,
  rollup: ROLLUP_SIGNATURES,
};

/** Of those, what no ERC publishes: contracts of this project. */
export const OWN_CONTRACTS: ReadonlySet<string> = new Set([
  'contract extension',
  'permission contracts',
  'rollup',
]);

let abis: readonly KeptAbi[] | undefined;

/**
 * The ABIs of published standards, for contracts of which the reader has no file. Sources: the ERCs of those numbers.
 * @returns the same list each time; it is parsed when it is first asked for
 */
export function standardAbis(): readonly KeptAbi[] {
  abis ??= Object.entries(SIGNATURES).map(([by, signatures], index) => {
    const abi = parseContractAbi(parseAbi<readonly string[]>(signatures), by);
    const contract = { name: by, abi, layout: undefined, creationCode: undefined };
    return { id: -1 - index, by, use: 'any', contract };
  });
  return abis;
}
