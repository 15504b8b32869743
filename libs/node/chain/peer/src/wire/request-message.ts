import { encodeRlp, type RlpFields } from '@tetrad/rlp';
import { bytesFromScalar, hashToBytes, type Hash } from '@tetrad/types';
import { wireFields, WireError } from './wire-fields.js';
import { headFields, readHead, type Head } from './handshake-messages.js';
import { encodeStateRequest, readStateRequest, type StateRequest } from './state-request.js';

/** A request to a peer. */
export type PeerRequest =
  /** Checks that the peer is alive, and exchanges heads. */
  | { readonly kind: 'ping'; readonly head: Head }
  /** Blocks in order from a number on. */
  | {
      readonly kind: 'blocks';
      readonly from: number;
      readonly limit: number;
      /** Bytes after which no further block is added. */
      readonly byteBudget: number;
    }
  | { readonly kind: 'transactions'; readonly hashes: readonly Hash[] }
  /** Peers it knows, as enode URLs. */
  | { readonly kind: 'peers' }
  | StateRequest;

/** Codes on the wire; they must not change. */
const PING = 1;
const BLOCKS = 2;
const TRANSACTIONS = 3;
const PEERS = 4;

/** Maximum number of hashes in one request. */
export const MAX_REQUESTED_TRANSACTIONS = 256;
/** Maximum number of blocks in one answer, whatever was asked for. */
const MAX_REQUESTED_BLOCKS = 256;
/** Maximum size in bytes of one answer's blocks but the first, which always fits. */
export const MAX_BYTE_BUDGET = 8 * 1024 * 1024;
/** Maximum number of enode URLs in one answer, and of characters of each. */
export const MAX_EXCHANGED_PEERS = 16;
const MAX_ENODE_LENGTH = 512;

/**
 * Layouts: RLP([1, number, hash (32)]) ping; RLP([2, from, limit, byteBudget]) blocks;
 * RLP([3, [hash (32)...]]) transactions; RLP([4]) peers; from 5 on those of `encodeStateRequest`
 */
export function encodeRequest(request: PeerRequest): Uint8Array {
  switch (request.kind) {
    case 'ping':
      return encodeRlp([bytesFromScalar(PING), ...headFields(request.head)]);
    case 'blocks':
      return encodeRlp([BLOCKS, request.from, request.limit, request.byteBudget].map(bytesFromScalar));
    case 'transactions':
      return encodeRlp([bytesFromScalar(TRANSACTIONS), request.hashes.map(hashToBytes)]);
    case 'peers':
      return encodeRlp([bytesFromScalar(PEERS)]);
    default:
      return encodeStateRequest(request);
  }
}

/** @throws WireError */
export function decodeRequest(bytes: Uint8Array): PeerRequest {
  const fields = wireFields(bytes, 'request');
  const request = readRequest(fields, fields.count('code', 255));
  fields.end();
  return request;
}

function readRequest(fields: RlpFields, code: number): PeerRequest {
  switch (code) {
    case PING:
      return { kind: 'ping', head: readHead(fields) };
    case BLOCKS:
      return {
        kind: 'blocks',
        from: fields.count('from'),
        limit: fields.count('limit', MAX_REQUESTED_BLOCKS),
        byteBudget: fields.count('byteBudget', MAX_BYTE_BUDGET),
      };
    case TRANSACTIONS:
      return { kind: 'transactions', hashes: readHashes(fields.list('hashes')) };
    case PEERS:
      return { kind: 'peers' };
    default: {
      const request = readStateRequest(fields, code);
      if (request === undefined) throw new WireError('request: code');
      return request;
    }
  }
}

function readHashes(list: RlpFields): Hash[] {
  return list.repeated(MAX_REQUESTED_TRANSACTIONS, (hashes) => hashes.hash('hash'));
}

/** An answer of several byte strings: blocks, transactions, headers. Layout: RLP([item (bytes)...]). */
export function encodeItems(items: readonly Uint8Array[]): Uint8Array {
  return encodeRlp(items);
}

/**
 * @param most - how many items were asked for
 * @throws WireError
 */
export function decodeItems(bytes: Uint8Array, most: number): Uint8Array[] {
  return wireFields(bytes, 'answer').repeated(most, (items) => items.bytes('item', bytes.length));
}

/**
 * Enode URLs of an answer. Layout: RLP([enode (text)...]).
 * @throws WireError
 */
export function decodeEnodeTexts(bytes: Uint8Array): string[] {
  return wireFields(bytes, 'answer').repeated(MAX_EXCHANGED_PEERS, (urls) =>
    urls.text('enode', MAX_ENODE_LENGTH),
  );
}
