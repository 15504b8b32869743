import { isIP } from 'node:net';
import { addressFromPublicKey, isPublicKey } from '@tetrad/crypto';
import { bytesFromHex, parseAddress, type Address } from '@tetrad/types';
import { UsageError } from '../usage-error.js';

/** A validator, from its enode URL. */
export interface KnownNode {
  readonly enode: string;
  readonly host: string;
  readonly address: Address;
}

const DEFAULT_FUND = 10n ** 27n;
const MAX_WEI = 2n ** 128n;
const HOST_NAME = /^(?!-)[A-Za-z0-9.-]{1,253}$/;
const ENODE =
  /^enode:\/\/([0-9a-f]{128})@(\[[0-9a-f:.]{2,45}\]|[A-Za-z0-9.-]{1,253}):(\d{1,5})(\?discport=\d{1,5}(?:&raftport=\d{1,5})?)?$/;

/** @throws UsageError naming the option */
export function readInteger(
  option: string,
  text: string,
  { min, max }: { min: number; max: number },
): number {
  const value = Number(text);
  if (!/^\d{1,16}$/.test(text) || value < min || value > max)
    throw new UsageError(`${option}: ${text} is not a whole number from ${min} to ${max}`);
  return value;
}

/** A host for each node; this host for all of them without a list. */
export function readHosts(list: string | undefined, count: number): string[] {
  if (list === undefined) return Array.from({ length: count }, () => '127.0.0.1');
  const hosts = list.split(',').map((host) => host.trim());
  const bad = hosts.find((host) => isIP(host) === 0 && !HOST_NAME.test(host));
  if (bad !== undefined) throw new UsageError(`--hosts: ${bad} is not a host name or address`);
  if (hosts.length !== count) throw new UsageError(`--hosts: has ${hosts.length} hosts for ${count} nodes`);
  return hosts;
}

/** `ADDRESS` or `ADDRESS=WEI`, separated by commas. */
export function readFunds(list: string | undefined): Map<Address, bigint> {
  const funds = new Map<Address, bigint>();
  for (const entry of list?.split(',') ?? []) {
    const [, address, wei] = /^\s*(0x[0-9a-fA-F]{40})(?:=(\d{1,39}))?\s*$/.exec(entry) ?? [];
    if (address === undefined) throw new UsageError(`--fund: ${entry} is not ADDRESS or ADDRESS=WEI`);
    const amount = wei === undefined ? DEFAULT_FUND : BigInt(wei);
    if (amount >= MAX_WEI) throw new UsageError(`--fund: ${wei} wei is too much`);
    const key = parseAddress(address);
    if (funds.has(key)) throw new UsageError(`--fund: duplicate account ${address}`);
    funds.set(key, amount);
  }
  return funds;
}

/**
 * Enode URLs separated by commas.
 * @param isRaft - each then has a raft port
 */
export function readEnodes(list: string, isRaft: boolean): KnownNode[] {
  const nodes = list.split(',').map((text) => readEnode(text.trim()));
  const portless = isRaft ? nodes.find(({ enode }) => !enode.includes('&raftport=')) : undefined;
  if (portless !== undefined) throw new UsageError(`--enodes: ${portless.enode} has no raftport`);
  const seen = new Set<string>();
  for (const { address, enode } of nodes) {
    if (seen.has(address)) throw new UsageError(`--enodes: duplicate node ${enode}`);
    seen.add(address);
  }
  return nodes;
}

function readEnode(enode: string): KnownNode {
  const [, id, host = ''] = ENODE.exec(enode) ?? [];
  if (id === undefined) throw new UsageError(`--enodes: ${enode} is not an enode URL; node enode prints it`);
  const publicKey = bytesFromHex(`0x${id}`);
  if (!isPublicKey(publicKey)) throw new UsageError(`--enodes: ${enode} does not name a public key`);
  return { enode, host, address: addressFromPublicKey(publicKey) };
}

const ETCD_URL = /^https?:\/\/[^/?#@]{1,300}\/?$/;

/** Client URLs separated by commas; required under raft, rejected otherwise. */
export function readEtcdEndpoints(list: string | undefined, isRaft: boolean): readonly string[] {
  if (!isRaft) {
    if (list !== undefined) throw new UsageError('--etcd-endpoints: goes with --consensus raft');
    return [];
  }
  const urls = (list ?? '').split(',').filter((url) => url !== '');
  if (urls.length === 0) throw new UsageError('--etcd-endpoints: is required with --consensus raft');
  const bad = urls.find((url) => !ETCD_URL.test(url));
  if (bad !== undefined)
    throw new UsageError(`--etcd-endpoints: ${bad}: must be http://HOST:PORT or https://HOST:PORT`);
  return urls;
}
