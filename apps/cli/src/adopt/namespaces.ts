import type { SettingsConversion } from '@tetrad/service/settings-conversion';
import type { GethFlag } from './geth-flags.js';
import { listOf } from './flag-values.js';

const API = ['eth', 'net', 'web3', 'txpool', 'rpc', 'debug', 'admin', 'miner', 'raft', 'eea', 'priv'];
/** Namespaces of GoQuorum by their names here. */
const RENAMED = new Map([
  ['istanbul', 'ibft'],
  ['quorumPermission', 'chainPermission'],
  ['quorumExtension', 'chainExtension'],
]);
/** Methods of a namespace with another name here. */
const RENAMED_METHODS = new Map([['eth', 'eth_getQuorumPayload=eth_getChainPayload']]);

const HTTP_FLAGS = ['http.api', 'rpcapi'];
const WEBSOCKET_FLAGS = ['ws.api', 'wsapi'];
/** Flags that expose namespaces. */
export const API_FLAGS = [...HTTP_FLAGS, ...WEBSOCKET_FLAGS];

/**
 * The namespaces that clients may call: those for HTTP, or for WebSocket where no others are given, since one port serves both
 * here. Aliases keep the names of GoQuorum for the clients that are there.
 */
export function takeNamespaces(flags: readonly GethFlag[], conversion: SettingsConversion): void {
  const last = (names: readonly string[]) => flags.findLast(({ name }) => names.includes(name));
  const [http, websocket] = [last(HTTP_FLAGS), last(WEBSOCKET_FLAGS)];
  const flag = http ?? websocket;
  if (http !== undefined && websocket !== undefined)
    conversion.ignore(
      `--${websocket.name}`,
      `http-api holds for WebSocket too, and is that of --${http.name}`,
    );
  // Without a flag the node has its default, in which eth is.
  const kept = flag === undefined ? ['eth'] : keep(flag, conversion);
  takeAliases(kept, flag === undefined ? '--http.api (absent)' : `--${flag.name}`, conversion);
}

function keep({ name: flagName, value }: GethFlag, conversion: SettingsConversion): readonly string[] {
  const asked = listOf(value);
  const known = [...API, ...RENAMED.values()];
  const names = asked.map((name) => RENAMED.get(name) ?? name);
  const kept = [...new Set(names.filter((name) => known.includes(name)))];
  const dropped = names.filter((name) => !known.includes(name));
  const flag = `--${flagName}`;
  if (dropped.length === 0 && kept.every((name) => asked.includes(name)))
    conversion.take(flag, 'http-api', kept);
  else {
    const why = dropped.length === 0 ? 'by their names here' : `${dropped.join(', ')} is not here`;
    conversion.change(flag, 'http-api', kept, why);
  }
  return kept;
}

function takeAliases(kept: readonly string[], setting: string, conversion: SettingsConversion): void {
  const namespaces = [...RENAMED].filter(([, to]) => kept.includes(to)).map(([from, to]) => `${from}=${to}`);
  const methods = [...RENAMED_METHODS].filter(([name]) => kept.includes(name)).map(([, alias]) => alias);
  const aliases = [...namespaces, ...methods];
  if (aliases.length > 0)
    conversion.change(setting, 'rpc-alias', aliases, 'clients call the names of GoQuorum as before');
}
