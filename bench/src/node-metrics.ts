import type { Network } from '@tetrad/devnet';
import type { Figure } from './report/result.js';

/** The node's time by phase, from its own histograms: seconds in total. */
export async function readPhases(opsUrl: string): Promise<Figure[]> {
  const text = await readMetrics(opsUrl);
  const phases = ['execution', 'hashing', 'storage'].map((phase) => {
    const seconds = sumOf(text, `node_block_phase_seconds_sum{`, `phase="${phase}"`);
    return `${phase} ${seconds.toFixed(2)} s`;
  });
  const rpc = sumOf(text, 'node_rpc_call_seconds_sum{', 'method="eth_sendRawTransaction"');
  const calls = sumOf(text, 'node_rpc_call_seconds_count{', 'method="eth_sendRawTransaction"');
  const cpu = sumOf(text, 'process_cpu_seconds_total', '');
  return [
    { what: 'blocks spent', value: phases.join(', ') },
    {
      what: 'eth_sendRawTransaction',
      value: `${calls} calls of ${((rpc / calls) * 1000).toFixed(2)} ms on average, waiting for the journal included`,
    },
    { what: 'CPU of the node', value: `${cpu.toFixed(1)} s` },
  ];
}

/** Seconds of CPU that a node has used since its start, and their phases. */
export interface NodeCosts {
  readonly cpu: number;
  readonly execution: number;
  readonly hashing: number;
  readonly storage: number;
  readonly consensus: number;
  /** Messages of peers: encoding, sealing, sending, opening, decoding. */
  readonly network: number;
}

async function readCosts(opsUrl: string): Promise<NodeCosts> {
  const text = await readMetrics(opsUrl);
  const phase = (name: string) => sumOf(text, 'node_block_phase_seconds_sum{', `phase="${name}"`);
  return {
    cpu: sumOf(text, 'process_cpu_seconds_total', ''),
    execution: phase('execution'),
    hashing: phase('hashing'),
    storage: phase('storage'),
    consensus: sumOf(text, 'node_consensus_seconds_total', ''),
    network: sumOf(text, 'node_peer_seconds_total', ''),
  };
}

/** Messages between a node and its peers since its start. */
export interface PeerTraffic {
  /** Consensus messages that it received, those that it had already or that came late included. */
  readonly consensus: number;
  /** Bytes that it sent, of messages of any kind, to each peer. */
  readonly bytes: number;
}

export async function trafficOf(opsUrl: string): Promise<PeerTraffic> {
  const text = await readMetrics(opsUrl);
  return {
    consensus: sumOf(text, 'node_consensus_messages_received_total', ''),
    bytes: sumOf(text, 'node_peer_sent_bytes', ''),
  };
}

/** The value of a metric without labels, or the sum of those with any. */
export async function metricOf(opsUrl: string, name: string): Promise<number> {
  return sumOf(await readMetrics(opsUrl), name, '');
}

async function readMetrics(opsUrl: string): Promise<string> {
  return (await fetch(`${opsUrl}/metrics`)).text();
}

function sumOf(text: string, prefix: string, label: string): number {
  return text
    .split('\n')
    .filter((line) => line.startsWith(prefix) && line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

/** Resident memory of a process, in bytes. Linux; undefined elsewhere. */
export async function residentMemory(pid: number): Promise<number | undefined> {
  const { readFile } = await import('node:fs/promises');
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** The costs of all nodes of a network together. */
export async function costsOf({ nodes }: Network): Promise<NodeCosts> {
  const all = await Promise.all(nodes.map(({ ports }) => readCosts(`http://127.0.0.1:${ports.ops}`)));
  return all.reduce((sum, one) => combine(sum, one, 1));
}

export function subtractCosts(after: NodeCosts, before: NodeCosts): NodeCosts {
  return combine(after, before, -1);
}

function combine(one: NodeCosts, other: NodeCosts, sign: 1 | -1): NodeCosts {
  return {
    cpu: one.cpu + sign * other.cpu,
    execution: one.execution + sign * other.execution,
    hashing: one.hashing + sign * other.hashing,
    storage: one.storage + sign * other.storage,
    consensus: one.consensus + sign * other.consensus,
    network: one.network + sign * other.network,
  };
}
