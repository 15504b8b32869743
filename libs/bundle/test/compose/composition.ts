import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT, SERVICES } from '../../src/services.js';

const FOLDER = join(ROOT, 'docker');

/** What the tests read of a composition; the schema checks the rest. */
export interface Composition {
  readonly name: string;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly working_dir?: string;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly networks?:
    readonly string[] | Readonly<Record<string, { readonly aliases?: readonly string[] } | null>>;
  readonly network_mode?: string;
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

/** `docker/compose.yaml` with its anchors resolved. */
export async function readComposition(): Promise<Composition> {
  return parse(await readFile(join(FOLDER, 'compose.yaml'), 'utf8'), { merge: true }) as Composition;
}

/** The services of ours, by name: `node` for `node0`. */
export function ownServices({
  services,
}: Composition): readonly (readonly [string, ComposeService, string])[] {
  return Object.entries(services).flatMap(([name, service]) => {
    const own = /^tetrad\/(.+)$/.exec(service.image)?.[1];
    return own === undefined ? [] : [[name, service, own] as const];
  });
}

/** Names under which a service is reached in a network: its own, or the aliases of the service whose network it shares. */
export function namesIn({ services }: Composition, network: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, { networks = [] }] of Object.entries(services)) {
    if (Array.isArray(networks)) {
      if (networks.includes(network)) names.set(name, name);
      continue;
    }
    const attached = (networks as Readonly<Record<string, { readonly aliases?: readonly string[] } | null>>)[
      network
    ];
    if (attached === undefined) continue;
    for (const alias of [name, ...(attached?.aliases ?? [])]) names.set(alias, name);
  }
  return names;
}

export const isOurs = (service: string) => (SERVICES as readonly string[]).includes(service);

export const isMigration = ({ entrypoint = [] }: ComposeService) =>
  entrypoint.at(-1)?.endsWith('db.js') ?? false;

/** Files of the host that services mount, as paths below `docker`. */
export function mountedFiles({ volumes = [] }: ComposeService): readonly string[] {
  return volumes.map((volume) => volume.split(':')[0] ?? '').filter((source) => source.startsWith('./'));
}

/** Paths of containers that the options name, and that nothing of the service is mounted at. */
export function unmountedPaths({
  command = [],
  environment = {},
  volumes = [],
  secrets = [],
}: ComposeService) {
  const targets = [
    ...volumes.map((volume) => /:(\/[^:]*)(?::ro)?$/.exec(volume)?.[1] ?? ''),
    ...secrets.map((secret) => `/run/secrets/${secret}`),
  ];
  const named = [...command.map((word) => word.split('=')[1] ?? ''), ...Object.values(environment)];
  return named
    .filter((path) => path.startsWith('/'))
    .filter((path) => !targets.some((target) => path === target || path.startsWith(`${target}/`)));
}
