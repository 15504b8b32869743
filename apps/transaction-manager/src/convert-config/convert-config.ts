import { SettingsConversion } from '@tetrad/service';
import { OperatorError, isPtmKey } from '@tetrad/types';
import type { VaultKeys } from '../vault-keys.js';
import { convertKeys } from './convert-keys.js';
import { convertServers } from './convert-servers.js';
import type { TesseraConfig, TesseraFile } from './tessera-config.js';

/**
 * Our configuration for what the one of a Tessera says, with the files that go with it, and what became of each setting.
 * @param folder - against which the paths in the configuration are: that in which the Tessera was started
 * @param vaults - of keys that are in one
 * @throws OperatorError that names the member that cannot be converted
 */
export async function convertConfig(
  file: TesseraFile,
  folder: string,
  vaults: Pick<VaultKeys, 'readText'>,
): Promise<SettingsConversion> {
  const conversion = new SettingsConversion();
  const { config } = file;
  refuseOthers(config, conversion);
  convertServers(config, conversion);
  conversion.addOperationsPort('peer-listen-port');
  convertPeers(config, conversion);
  await convertKeys(config, folder, conversion, vaults);
  convertPrivacy(config, conversion);
  convertDatabase(config, conversion);
  for (const path of file.unknown) conversion.ignore(path, 'has no counterpart here');
  for (const path of file.repeated) conversion.ignore(path, 'is given more than once: the last one was read');
  assertClientPort(conversion);
  // The port is there beside the socket file, and its default is that of every manager on the host.
  if (!conversion.has('http-listen-port'))
    conversion.change('(client port)', 'http-listen-port', 0, 'a free one, as nodes use the socket file');
  return conversion;
}

/** Without it no node could use the manager, and its private transactions would fail. */
function assertClientPort(conversion: SettingsConversion): void {
  if (conversion.has('client-socket') || conversion.has('http-listen-port')) return;
  const ignored = conversion.rows.find(
    ({ setting, outcome }) => outcome === 'ignored' && setting.includes('(Q2T)'),
  );
  const why = ignored === undefined ? '' : `; ${ignored.setting} ${ignored.text}`;
  throw new OperatorError(`serverConfigs: no Q2T server, so that no node could use this manager${why}`);
}

/** Payloads of other curves or of Orion cannot be read here. */
function refuseOthers({ encryptor, mode }: TesseraConfig, conversion: SettingsConversion): void {
  if (encryptor !== undefined && encryptor.type !== 'NACL')
    throw new OperatorError(`encryptor.type: ${encryptor.type}: keys and payloads here are of NACL only`);
  if (mode !== undefined && mode !== 'tessera')
    throw new OperatorError(`mode: ${mode}: only that of GoQuorum networks, tessera, is known`);
  if (encryptor !== undefined) conversion.keep('encryptor', 'NACL, as every key here');
  if (mode !== undefined) conversion.keep('mode', 'tessera, the only one here');
}

function convertPeers(config: TesseraConfig, conversion: SettingsConversion): void {
  const { peer, useWhiteList, disablePeerDiscovery } = config;
  if (peer !== undefined)
    conversion.take(
      'peer',
      'peers',
      peer.map(({ url }) => urlOf(url)),
    );
  if (useWhiteList !== undefined) conversion.take('useWhiteList', 'peer-whitelist', useWhiteList);
  if (disablePeerDiscovery !== undefined)
    conversion.take('disablePeerDiscovery', 'peer-discovery', !disablePeerDiscovery);
}

function urlOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new OperatorError(`peer: ${text.slice(0, 200)} is not an http or https URL`);
}

function convertPrivacy(config: TesseraConfig, conversion: SettingsConversion): void {
  const { alwaysSendTo = [], features, residentGroups } = config;
  const bad = [...alwaysSendTo, ...(residentGroups ?? []).flatMap(({ members }) => members)].find(
    (key) => !isPtmKey(key),
  );
  if (bad !== undefined)
    throw new OperatorError(
      `alwaysSendTo, residentGroups: ${bad.slice(0, 80)} is not a public key in base64`,
    );
  if (config.alwaysSendTo !== undefined) conversion.take('alwaysSendTo', 'always-send-to', alwaysSendTo);
  // Both are off in a Tessera unless it says otherwise.
  const { enablePrivacyEnhancements = false, enableRemoteKeyValidation = false } = features ?? {};
  conversion.take('features.enablePrivacyEnhancements', 'privacy-enhancements', enablePrivacyEnhancements);
  if (enableRemoteKeyValidation) conversion.take('features.enableRemoteKeyValidation', 'prove-keys', true);
  else
    conversion.change(
      'features.enableRemoteKeyValidation',
      'prove-keys',
      true,
      'as everywhere here; Tessera answers',
    );
  convertGroups(config, conversion);
}

function convertGroups({ residentGroups, features }: TesseraConfig, conversion: SettingsConversion): void {
  const isOn = features?.enableMultiplePrivateStates;
  if (isOn !== undefined)
    conversion.keep(
      'features.enableMultiplePrivateStates',
      `${isOn}: on with a resident-groups-file, off without`,
    );
  if (residentGroups === undefined) return;
  if (isOn !== true) return conversion.ignore('residentGroups', 'multiple private states are switched off');
  const groups = residentGroups.map(({ name, description = '', members }) => ({
    name,
    description,
    members,
  }));
  const text = `${JSON.stringify(groups, null, 2)}\n`;
  conversion.addFile({ name: 'resident-groups.json', text, isSecret: false });
  conversion.change(
    'residentGroups',
    'resident-groups-file',
    'resident-groups.json',
    'in a file of their own',
  );
}

function convertDatabase({ jdbc }: TesseraConfig, conversion: SettingsConversion): void {
  if (jdbc === undefined) return;
  const { url = '' } = jdbc;
  const how = url.startsWith('jdbc:postgresql:')
    ? 'import --from-database-url reads what is in it'
    : 'import --from-dump reads what is in it, from a dump';
  conversion.change('jdbc', 'data-dir', 'manager-data', `a database of our own; ${how}`);
}
