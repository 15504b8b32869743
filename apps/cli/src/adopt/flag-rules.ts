import type { SettingsConversion } from '@tetrad/service/settings-conversion';
import { UsageError } from '@tetrad/devnet/usage-error';
import { listOf, wholeNumber } from './flag-values.js';

/**
 * Sets options of ours for a flag.
 * @param value - `true` for a switch
 * @throws UsageError that names the flag
 */
type FlagRule = (value: string, conversion: SettingsConversion, flag: string) => void;

const ignored =
  (why: string): FlagRule =>
  (_, conversion, flag) =>
    conversion.ignore(flag, why);

const text =
  (key: string): FlagRule =>
  (value, conversion, flag) =>
    conversion.take(flag, key, value);

const number =
  (key: string): FlagRule =>
  (value, conversion, flag) =>
    conversion.take(flag, key, wholeNumber(value, flag));

const list =
  (key: string): FlagRule =>
  (value, conversion, flag) =>
    conversion.take(flag, key, listOf(value));

const enabled =
  (key: string, isOn = true): FlagRule =>
  (value, conversion, flag) =>
    conversion.take(flag, key, (value !== 'false') === isOn);

const LEVELS = ['off', 'error', 'warn', 'info', 'debug', 'debug'];

const verbosity: FlagRule = (value, conversion, flag) => {
  const level = LEVELS[wholeNumber(value, flag)];
  if (level === undefined) throw new UsageError(`${flag}: ${value} is not from 0 to 5`);
  conversion.change(flag, 'log-level', level, 'by name');
};

const nat: FlagRule = (value, conversion, flag) => {
  const [, host] = /^extip:([0-9a-fA-F.:]+)$/.exec(value) ?? [];
  if (host === undefined) return conversion.ignore(flag, 'name the host with p2p-host');
  conversion.change(flag, 'p2p-host', host, 'the host in the enode URL');
};

const address: FlagRule = (value, conversion, flag) => {
  if (['localhost', '127.0.0.1', '::1'].includes(value))
    return conversion.take(flag, 'http-listen-host', value);
  const why = 'the node starts with authentication or insecure = true only';
  conversion.change(flag, 'http-listen-host', value, why);
};

const seconds =
  (key: string): FlagRule =>
  (value, conversion, flag) =>
    conversion.change(flag, key, `${wholeNumber(value, flag)}s`, 'with its unit');

const manager: FlagRule = (value, conversion, flag) => conversion.take(flag, 'ptm-url', value);

const syncmode: FlagRule = (value, conversion, flag) =>
  conversion.ignore(flag, value === 'full' ? 'is always full' : `is always full, not ${value}`);

const HTTP: Readonly<Record<string, FlagRule>> = {
  addr: address,
  port: number('http-listen-port'),
  corsdomain: list('cors-origins'),
  vhosts: list('host-allowlist'),
};

const WEBSOCKET = ignored('WebSocket is on the port for HTTP');
const POOL = ignored('the pool has limits of its own: pool-max-…');
const CACHE = ignored('has no counterpart; state-cache-mb sets the memory for tries');
const SEALING = ignored('the node key decides; fees go as the genesis file says');
const PLUGINS = ignored('there are no plugins; tokens and TLS are options');
const MEASURES = ignored('metrics are always served, on ops-listen-port');

/** Flags that `read-data-folder.ts` reads: folders, keys and accounts. */
export const FOLDER_FLAGS = ['datadir', 'nodekey', 'nodekeyhex', 'keystore', 'unlock', 'password'];

/** What becomes of each flag of GoQuorum. */
const FLAG_RULES: ReadonlyMap<string, FlagRule> = new Map(
  Object.entries<FlagRule>({
    ...Object.fromEntries(Object.entries(HTTP).map(([name, rule]) => [`http.${name}`, rule])),
    ...Object.fromEntries(Object.entries(HTTP).map(([name, rule]) => [`rpc${name}`, rule])),
    http: ignored('is always on, on loopback'),
    rpc: ignored('is always on, on loopback'),
    port: number('peer-listen-port'),
    maxpeers: number('max-peers'),
    nat,
    verbosity,
    bootnodes: list('peers'),
    nodiscover: enabled('peer-exchange', false),
    permissioned: enabled('permissioned'),
    revertreason: enabled('revert-reason'),
    'privacymarker.enable': enabled('privacy-markers'),
    mine: enabled('validator'),
    'rpc.gascap': number('rpc-gas-cap'),
    'ptm.url': manager,
    'ptm.socket': manager,
    'ptm.timeout': seconds('ptm-timeout'),
    'ptm.dialtimeout': seconds('ptm-connect-timeout'),
    'ptm.tls.rootca': text('ptm-tls-ca-file'),
    'ptm.tls.clientcert': text('ptm-tls-cert-file'),
    'ptm.tls.clientkey': text('ptm-tls-key-file'),
    'ptm.tls.mode': ignored('https in ptm-url turns it on'),
    'ptm.tls.insecureskipverify': ignored('certificates are always verified: give ptm-tls-ca-file'),
    networkid: ignored('the chain id of the genesis file is used, also by net_version'),
    syncmode,
    gcmode: ignored('the states of all blocks are kept'),
    snapshot: CACHE,
    'allow-insecure-unlock': ignored('accounts of keystore-dir sign; nothing is unlocked over HTTP'),
    'rpc.allow-unprotected-txs': ignored('such transactions are as the genesis file says'),
    ipcpath: ignored('there is no IPC'),
    ipcdisable: ignored('there is no IPC'),
    graphql: ignored('there is no GraphQL'),
    raftport: ignored('is part of enode URLs only'),
    raft: ignored('etcd orders the blocks: give --etcd-endpoints, and see docs/how-to/raft.md'),
    raftblocktime: (value, conversion, flag) =>
      conversion.change(flag, 'block-period', `${wholeNumber(value, flag)}ms`, 'with its unit'),
    raftjoinexisting: ignored('members are in etcd, see docs/how-to/raft.md'),
    emitcheckpoints: ignored('there are no checkpoints in the log'),
    multitenancy: ignored('several private states are not served to tenants here'),
    identity: ignored('nodes have no names'),
    config: ignored('is not read: give what it says as flags of --command'),
  }),
);

/** Rules for flags that begin alike. */
const PREFIXES: readonly (readonly [string, FlagRule])[] = [
  ['ws', WEBSOCKET],
  ['txpool.', POOL],
  ['cache', CACHE],
  ['miner.', SEALING],
  ['istanbul.', ignored('is in the genesis file, or not needed')],
  ['plugins', PLUGINS],
  ['metrics', MEASURES],
  ['pprof', MEASURES],
  ['graphql', ignored('there is no GraphQL')],
];

/** The rule of a flag; for an unknown one, that it is ignored. */
export function flagRule(name: string): FlagRule {
  const [, rule] = PREFIXES.find(([prefix]) => name.startsWith(prefix)) ?? [];
  return FLAG_RULES.get(name) ?? rule ?? ignored('has no counterpart here');
}
