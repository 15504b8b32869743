/** What the tests read of the objects that Helm renders; kubernetes-models checks the rest. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: Spec;
}

export type Labels = Readonly<Record<string, string>>;

export interface Spec {
  readonly replicas?: number;
  readonly minAvailable?: number;
  readonly maxUnavailable?: number;
  readonly minReadySeconds?: number;
  readonly unhealthyPodEvictionPolicy?: string;
  readonly template?: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
  readonly selector?: Labels & { readonly matchLabels?: Labels };
  readonly podSelector?: { readonly matchLabels: Labels };
  readonly ports?: readonly { readonly port: number; readonly targetPort: string }[];
  readonly ingress?: readonly {
    readonly from?: readonly object[];
    readonly ports: readonly { readonly port: number }[];
  }[];
}

export interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
}

export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: object;
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly resources: { readonly requests?: object; readonly limits?: object };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly lifecycle?: object;
}

/** A pod of a manifest, and what it is called in a failure. */
export interface Pod {
  readonly of: Manifest;
  readonly labels: Labels;
  readonly spec: PodSpec;
}

export function podsIn(manifests: readonly Manifest[]): Pod[] {
  return manifests.flatMap((manifest) => {
    // A service account has none.
    const { template } = (manifest as Partial<Manifest>).spec ?? {};
    return template === undefined
      ? []
      : [{ of: manifest, labels: template.metadata.labels, spec: template.spec }];
  });
}

export function containersIn(manifests: readonly Manifest[]): Container[] {
  return podsIn(manifests).flatMap(({ spec }) => spec.containers);
}

/** The service whose image a container runs: `registry/tetrad/node:0.1.0` is of `node`. */
export function serviceOf({ image }: Container): string {
  const [, service = image] = /^(?:[^/]+\/)*([^/:]+):[^/:]+$/.exec(image) ?? [];
  return service;
}

export function selects(labels: Labels, pod: Pod): boolean {
  return Object.entries(labels).every(([name, value]) => pod.labels[name] === value);
}
